"""The table of phrasings, as rules for `grammar.py`. A new way of saying a known thing is added here and only here."""

from __future__ import annotations

from tasks.requirement.grammar import Grammar, word_set


def _forms(verbs: str) -> frozenset[str]:
    """Base form, third person and -ing form of each verb."""
    return frozenset(form for verb in verbs.split() for form in (verb, _third(verb), _ing(verb)))


def _third(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def _ing(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    doubled = {"quit", "stop", "put", "emit", "get", "set", "skip", "omit", "begin", "drop", "trim", "split"}
    return verb + verb[-1] + "ing" if verb in doubled else verb + "ing"


SETS = {
    "print": _forms("print output write display emit show say report"),
    "exit": _forms("exit terminate quit finish stop end fail abort return halt"),
    "produce": _forms("produce give yield generate create"),
    "keep": _forms("keep leave"),
    "be": word_set("is are was were be been being"),
    "duty": word_set("must should shall will has have needs need"),
    "modal": word_set("must should shall will would may can has have needs need"),
    "det": word_set("the a an any this that its no your their such"),
    "art": word_set("the a an its some"),
    "adverb": word_set("then also only just simply always instead immediately exactly strictly first finally directly"),
    "exactly": word_set("exactly only just simply precisely literally"),
    "manner": word_set("completely entirely totally otherwise also"),
    "fileish": word_set(
        "input csv json text source data given specified provided named supplied requested whole entire tsv log first"
    ),
    "system": word_set(
        "program tool cli utility application app script command function service software system module component "
        "parser implementation library job pipeline command-line api server endpoint filter"
    ),
    "select": _forms(
        "print output write display show report list select identify flag keep remove choose pick find filter "
        "highlight "
        "prioritise prioritize sort rank produce return extract detect drop skip emit delete"
    ),
    "read": _forms("read take accept load parse process open receive consume analyse analyze convert validate"),
    "write": _forms("write create save produce generate output emit export") | word_set("written"),
    "written": word_set("output summary result results report"),
    "vague": word_set(
        "important relevant interesting suspicious significant appropriate risky right proper "
        "reasonable suitable meaningful useful unusual abnormal critical notable valuable urgent essential odd "
        "problematic noteworthy anomalous worthwhile"
    ),
    "decision": word_set(
        "behavior behaviour result results output order format rule rules requirement semantics "
        "interpretation handling "
        "meaning treatment criterion criteria what which how whether it choice details"
    ),
    "trouble": word_set("error errors failure failures exception exceptions interruption timeout"),
    "bad": word_set(
        "invalid malformed bad wrong duplicate unknown unsupported out-of-range negative corrupt broken incorrect "
        "illegal unreadable unwritable non-integer non-numeric undecodable"
    ),
    "negation": word_set("not never"),
    "opener_words": word_set("if when whenever unless otherwise"),
    "message_word": word_set(
        "same clear short helpful descriptive one-line single-line deterministic non-empty suitable readable "
        "usage error "
        "single brief meaningful appropriate informative non-blank warning diagnostic"
    ),
}

RULES = r"""

status : (exit|return|error|process)? (status|code) | exit|return value | exit|status|code|rc
number : of|=|:? exactly? (either)? <num>
stdout : (to|on|onto|into|via)? the? (stdout|sys.stdout | standard output stream? | standard out)
  | (to|on) the? (console|screen|terminal)
stderr : (to|on|onto|into|via) the? (stderr|sys.stderr | standard error stream? | error stream | error output)
bare_stderr : stderr | standard error
noun : (single|literal|exact|fixed|one-line)? $noun_word
noun_word : word|words|text|string|line|message|output|literal|response|phrase|error|usage|warning
text : $exactly? $art? $exactly? ($message_word? $message_word? $message_word? $noun $article_of? :?)? $exactly?
  <lit>|<caps>|<digits>
  $newline_tail?
newline_tail : (followed by | with | without) (a|any|one|the)? (trailing|final)? newline
article_of : as|reading|saying|of | with the text

at_once : immediately|right | at once | right away
exit_equals : $exit $at_once? with $art? $status $number
  | $exit $status $number
  | $exit with $exactly? <num>
  | exit|exits|exiting :? <num>
  | with|using|use|uses|$produce $art? $status $number
  | $leave with ($art? $status)? <num>
  | status|rc :? <num>
  | $art? $status $modal? to? ($be|equals|stays|remains|becomes) $exactly? <num>
  | $art? $status <num> $modal? $be (returned|used|set|reported|given)
  | set|sets|make|makes $art? $status to? <num>
  | status|code $be? returned? <num>
leave : bail|bails|bailing out | die|dies|dying | give|gives|giving up
exit_differs : $exit with? $art? non-zero|nonzero $status?
  | with $art? non-zero|nonzero $status | $art? $status $modal? not $be (zero|0)
  | $art? $status $modal? to? $be (non-zero|nonzero | not zero)
exit_zero : $exit (successfully|normally|cleanly) | $exit with success

bare_stdout : stdout | standard output
holds_part : $modal? to? contain|contains|include|includes|mention|mentions $art? $noun? <lit>
part_stdout : the? (output | $bare_stdout) $holds_part
part_stderr : the? $bare_stderr $holds_part
print_stdout : ($print|give|gives|yield|yields|produce|produces) $text $stdout? | $print $stdout :? $text
  | $art? (output|stdout | standard output) ($modal? to? ($be|read|reads|say|says|holds) | :) $exactly? $art? $noun?
  <lit>|<caps>|<digits>
  | $print $text $bare_stdout | (answer|answers|reply|replies|answered) with? $exactly? $noun? <lit> $stdout?
  | $text $modal? $be $printed $stdout?
printed : printed|written|shown|displayed|output|sent|reported|emitted
complain : complain|complains|complaining|warn|warns|answer|answers with?
with_text : with|using
print_stderr : $print $text $stderr | $print $stderr :? $text | $print $message $stderr :? $exactly? <lit>
  | written|printed|sent $text $stderr | (reported|shown|signalled|flagged) (as|by|with) $text $stderr
  | $complain $text ,? ($stderr | $bare_stderr) | $text $modal? $be $printed $stderr | $with_text? $text ,? $stderr
  | $bare_stderr :? <lit> | $produce $text $stderr | $text $modal? ($be|appears|appear|goes|go|stands) $stderr
  | <lit> , $bare_stderr | $print $text $bare_stderr
  | the? $bare_stderr $modal? to? ($be|read|reads|say|says) $exactly? $art? $noun? <lit>
nothing_stdout : answers|answer nothing
  | ($print|$produce) (nothing | no output | no lines | zero lines | $art? empty output) $at_all? $stdout?
  | with no output | without any output $stdout? | without (printing|writing) (anything | any output)
  | no output $at_all? $modal? $be? (produced|written|printed)? $stdout?
  | nothing to (print|output|write) $stdout? | nothing $modal? $be? $printed $stdout?
  | with? nothing $at_all? $modal? (goes|appears|appear|go)? $stdout
  | (the|its)? (output|stdout | standard output) $modal? also? ($be|remains|stays) also? empty
at_all : at all | whatsoever
nothing_else : ($print|$produce)? nothing else ($modal? $be $printed)? $stdout? | no other output
nothing_stderr : with? nothing $stderr | $print (nothing | no output | no text) $stderr | $print $stderr nothing
  | nothing $modal? $be? (written|printed|output)? $stderr
  | never|not $print (anything|output)? $stderr
  | the? $bare_stderr $modal? ($be|stays|remains) $be? empty | $keep the? $bare_stderr empty
empty_file : (the|an)? (output|summary|result) file $modal? also? $be? also? empty (as well | too)?
  | ($print|$produce) an empty (output|summary|result)? file
no_file : (do|does)? not (create|write|produce|leave|touch|make) ($det? (output|summary|result) (file|csv)? | any
  file|output)
  | (create|creates|write|writes|produce|produces|leave|leaves|creating|writing) no (output|summary|result)? file
  | without creating|writing|producing|leaving $det? (output|summary|result) file?
  | no (output|summary|result|target)? file $modal? $be? (created|written|produced|left)
  | the? (output|summary|result|target) file? $modal? $be? not $be? (created|written|produced|touched)
no_named_file : <file> $modal? not $be? (created|written|produced|left|touched) | no <file>
  | not (create|write|produce|touch) <file>
message : $art? $message_word? $message_word? $message_word? (message|warning|error|diagnostic|line|usage)
  (describing|explaining|about (the|what)? (problem|error|issue|failure|failed))?
message_stderr : $print $message $stderr | $print $stderr $message | $message $be? (printed|written|goes) $stderr
message_stdout : $print $message $stdout | $print $stdout $message
raises : (raise|raises|raising|throw|throws|throwing|raised) :? (a|an|the)?
is_raised : $modal? $be (raised|thrown)
with_message : with (a|an|the)? $message_word? (message|text|explanation) <lit>?
responds : (send|sends|respond|responds|answer|answers|answered|reply|replies|rejected|refused|get|gets|receives)
  (with|by)? $art? $http_status? <digits> | $art? (answer|response) $modal? $be <digits>
http_status : http | http? (status|response)? (status|code) | http status code
returns : (return|returns|returning|returned) $adverb?
  | ($art? (returned|return) value | the result) $modal? ($be|equals)
is_returned : $modal? $be returned
empty_value : (a|an|the)? (empty|blank) (list|tuple|string|str|text|dict|dictionary|mapping|set)
effect : $print_stderr | $print_stdout | $nothing_stderr | $nothing_stdout | $message_stderr | $message_stdout
  | $part_stdout | $part_stderr | $no_file | $no_named_file | $empty_file | $exit_equals | $exit_differs | $exit_zero

subject : $det? $system $system? | it|they|we|you|which|that|who
assure : please | please? (make|makes) (sure|certain) that? | please? (ensure|ensures) that?
lead : $assure? $subject? $adverb? $duty? to? $be? $adverb? | $subject? $results | have|let $subject
  | ($be|$duty) $be? (rejected|refused) | $be $art? error
results : (results|result) in $art? | (leads|lead) to $art? | (cause|causes) $art?
  | (make|makes|cause|causes) $subject to?

otherwise : otherwise|else | in (all|any|every) (other|remaining) (cases|case|situations) | in other cases | if not
  | failing that|which | (all|any|every) other $occasion
occasion : run|runs|call|calls|input|inputs|case|cases|situation|situations|word|line|value|command
opener : if|when|whenever|unless|once|should|where | if ,? and only if ,?
  | in (the|any)? (event|case|cases|situation) (that|of|where)? | as soon
  as
  | provided|providing that? | only (if|when) | except|save (if|when) | even (if|when) | (as|so) long as
  | assuming|given that | in response to | after
called_with : (called|invoked|started|executed|run) (with|without)
which_case : in which case|cases|event
anaphor : in (that|this|such|these|those) a? (case|event|situation|cases) | $subject? then
  | in the (former|latter|first|second) case
former_case : in the former|first case
just_run : (<word>|<lit> | the $system | the? user|operator|caller|i|it) ($be (run|started|called|invoked|executed)
  | (run|runs|start|starts|call|calls|invoke|invokes|execute|executes) (<word>|<lit> | the? $system | it))
  ((with|on|for|by) (it | its name | them|that | (that|this|the) file))?
label : on|upon|for|given|with|without|in

file : $fileish? $fileish? (file|document|input|stdin|text|data|csv|stream|content|contents | standard input)
  $at_name?
path : $fileish? $fileish? (file|document|path|filename) (name|path)? $at_name?
at_name : (at|named|called)? <lit>
file_subject : $det? $file | it | $det? (content|contents) of $det? $file
path_subject : $det? $path | it
empty_is : $manner? empty | blank | (zero|0) bytes long? | of zero (length|bytes) | of length zero | zero-length
  | zero-byte | nothing but (whitespace | white space)
empty_has : ($modal|has|have|contains|contain|holds|with) (no|zero)
  (content|contents|data|bytes|text|characters|input) (at all)?
  | (contains|contain|holds) nothing (at all)?
  | (contains|contain|is|holds|has|consists) of? (only|just | nothing but) (whitespace|blanks|spaces | white space)
  characters?
empty_noun : $det? $manner? (empty|zero-length|zero-byte|blank) $file (is given|provided|supplied)? |
  empty-input|empty-file
  | no (input|data|text) (at all)? ($be? given|provided|supplied|read|received|available|present)?
  | there $be no (input|data|text) (at all)? | nothing $be (given|provided|supplied|read) $stdin?
empty : $file_subject $modal? $be? $empty_is | $file_subject $empty_has | $empty_noun
empty_again : $modal? $be? $empty_is | $empty_has
stdin : on|from|via|through the? (stdin | standard input)
exist : exist|exists
missing_is : missing|absent|nonexistent|non-existent|unreadable|inaccessible | not
  (there|found|present|readable|accessible)
missing_has : (does|do) not exist | doesn't|don't exist
  | (can not | cannot|can't | could not | couldn't) be (found|read|opened|located|accessed)
missing_noun : $det? (missing|nonexistent|non-existent|absent|unreadable|inaccessible) $path ($given | $be requested)?
  | file not found | there $be no such? $path | no such $path exists?
missing : $path_subject $be? $missing_is | $path_subject $missing_has | $missing_noun
missing_again : $be? $missing_is | $missing_has
argument_given : $det? ($args | $path) $given
exists : $path_subject ($be (there|present|found|readable) | $exist)
args : (positional|command-line|required|cli|command|input|mandatory | command line)?
  (argument|arguments|args|parameter|parameters|operand|operands)
given : ($be|has|have)? been? (given|provided|passed|supplied|specified|present|received)
argument_missing : no|zero $args $given? | $det? $args $be? (missing|omitted|absent) | $det? $args $be not $given
  | $det? missing $args | (fewer|less) than <num> $args $given? | (insufficient | too few | not enough) $args $given?
  | $run? (without|with) (any|no)? $args | there $be (no | too few | fewer|less than <num>) $args
  | $run? with (too few | fewer|less than <num> | not enough) $args
no_arguments : no|zero|any $args | without $args
nonexistence : missing|absent|nonexistent|non-existent | not (exist|found|there|present) | doesn't|don't exist
  | (cannot|can't | can not) be (found|located) | no such | (exists|exist|given|found|there|present)
run : ($subject $be)? (called|run|invoked|started|executed)
argument_extra : more than <num> $args $given? | too many $args $given?
  | any? (extra|additional|surplus|superfluous|excess|further|unexpected) $args $given?
  | there $be (too many | more than <num>) $args | $run? with (too many | more than <num>) $args
  | any other $args $given?
argument_count : $det? argument count $be? (wrong|incorrect|invalid)
  | $det? (wrong|incorrect|invalid|improper) (number|count) of $args $given?
  | $det? (number|count) of $args $be? (not exactly? <num> | wrong|incorrect|invalid)
  | there $be (not exactly? | other than exactly?) <num> $args $given?
  | $run? with (a wrong number of | not exactly | other than exactly?) <num>? $args
  | (not exactly | other than exactly?) <num> $args $given? | any other number of $args $given?
missing_quantity : insufficient|no | too few | not enough | fewer|less than <num>
extra_quantity : too many | more than <num> | extra|additional
situation : ($det|any|every|each|other|further)? (any|other|further)? ($trouble|success | $bad <word>? <word>?) ($be |
  $given)?
for_each : for (each|every) | in (each|every) case
item : $det? (<word>)? (line|lines|row|rows|record|records|word|words|item|items|entry|entries|character|characters)
good_case : $det? (valid|well-formed|correct|readable|good) <word>? <word>?
every_other : every|any other
case_for : $good_case | <num> <word>? or (more|less|fewer|above|below|over)
  | (more|less|fewer|greater|larger|smaller|longer|shorter|higher|lower|above|below|over|under|all|everything) than?
  <num>? <word>? | at least|most <num> <word>?
named_input : $art? (command|input|word|line|value|letter|colour|color|request|text|key|option|answer|character) <lit>
rejection : $modal? $be? (rejected|refused|answered|forbidden|disallowed|prohibited)
  | $be (an|a)? (error|errors|mistake)
  | $modal? not be? (acceptable|accepted|allowed|permitted|processed) | $be not (acceptable|accepted|allowed|permitted)
  | (fails|fail) with | get|gets|receive|receives
not_literal : when? $be? not (equal to)? <lit>

io : <lit>|<num>|<caps>
input_noun : ($art? (input|csv|text|given)? file | $art? file content|contents)
  (containing|with|holding|contains|holds|of|is | that (contains|holds) | whose (content|contents) is)?
  | (example|sample|following|whole)? (input|argument|arguments|stdin|line|text|string|number|value|word | standard
  input)
  (string|text|line|value|of|being|containing|holding|consisting of)?
result : $subject $adverb? $modal? $be? $adverb? ($print|give|gives|yield|yields|produce|produces) $be? $exactly?
  $art? $noun?
  | $art? (expected|correct|resulting)? (output|result|answer|response) $modal? ($be|equals) $exactly?
  | ($print|give|gives|yield|yields|produce|produces|becomes) $exactly? $art? $noun? | it $modal? $be $exactly?
example : (for (example|instance) ,?)? (for|given|with|on|if|when | when given) ($art? $input_noun)? ($be|:)? $io
  ,? then?
  $result $io
  | $input_noun :? $io ,|;? (->|=>|→|—|and)? the? expected? (output|result|prints) $be? :? $io
  | ($input_noun :?)? $io (->|=>|→) (output|prints)? :? $io
  | $result $io (for|given|on|if|when) ($art? $input_noun)? ($be|:)? $io
  | (e.g.|i.e. | for (example|instance) ,? | example|examples :) ($art? $input_noun)? $io $shows $exactly? $io
bare_lead : (for (example|instance) ,?)? (for|given|with|on) $art? (input|inputs|argument|arguments) :? | for|given
bare_result : ,? then? ($subject? $adverb? $modal? ($print|give|gives|yield|yields|produce|produces|returns) $exactly?
  | $art? (expected|correct|resulting)? (output|result|answer) $modal? ($be|equals) $exactly?)
bare_example : $io (yields|gives|becomes) $exactly? $io
shows : prints|gives|yields|returns|produces|becomes|outputs | is (encoded|turned|converted) (as|to|into)
silent_example : (for|given|with|on|if|when | when given) ($art? $input_noun)? ($be|:)? $io ,? then? $nothing
  | $input_noun :? $io ,? $nothing
nothing : $lead ($print|$produce) (nothing | no output) | the? output $modal? $be empty
reversed_example : $result $io (for|given|on|if|when) ($art? $input_noun)? ($be|:)? $io

never_stderr : $lead (never|not) $print (anything|output)? $stderr
  | nothing $modal? (ever)? $be? ever? (written|printed|output) $stderr
  | ($print) nothing $stderr | the? $bare_stderr $modal? always? ($be|stays|remains) always? $be? empty
always_exit : $subject? always $exit_equals | $art? $status $be always <num>

asks_service : (http|rest|restful|web) (api|server|service|endpoint|endpoints|application|app|interface)
  | speaks http | rest api | http requests
asks_command : cli|stdin|stdout|stderr|argv|command-line | command line | command-line
  | (exit|exits|exiting) (code|status|codes|with|statuses)
  | standard (input|output|error)
asks_pipeline : data|etl|nightly|batch (data|etl)? pipeline | pipeline (that|which|must|should)
  | nightly|daily|hourly|scheduled|batch job
asked : write|create|build|implement|develop|design|make|provide|define|add
asks_library : $asked (a|an|the|one|two|three|some)? (small|simple|single|new|pure|generic|python|python's)? (python)?
  (function|functions|class|module|library|package|method|decorator)
  | (a|an|the) python? (library|module|package) (designed|that|exposing|providing|named|called|for|to)
  | (the|this|a) (function|class|module|library) (must|should|returns|takes|accepts|exports|provides) | function
  (called|named) <word>|<lit>
include_tests : (include|includes|including|with|provide|provides|add|write|contains)
  (a|an|some|its|comprehensive|automated)?
  (unit|pytest|behavioral|behavioural|end-to-end|automated|regression|exhaustive|comprehensive|the|own)? (tests |
  test suite|cases)
  | tests|test (are|is|must|should)? (be)? included | tested

remark_opens : background|history|rationale|motivation|hint|tip|actual|grading|currently|formerly|previously|today
  | historically | at present | right now | so far | until now | note (for|to) <word>
  | note that (most|other|many|some) <word>
  | in (<word> (implementation|implementations|version|versions|language|languages|tool|tools)) | steps to reproduce
  | (some|other|most|many) (people|users|tools|programs|implementations|versions)
  | (you|we|one) (might|may|could|can) (wonder|ask|think|expect|notice|see) | it is (open|unclear|undecided) whether
elsewhere : (earlier|previous|former|last|old|older|initial|naive|future|later|alternative|competing)
  (version|versions|implementation|implementations|release|releases|tool|tools|ticket|tickets|script|program|programs)
  | in (earlier|previous|former|older|other|future|later|most|some) (versions|implementations|releases|tools|languages)
  | in the (first|old|previous|last|next) (version|release|implementation) | in (future|former times) | unlike <word>
  | used to (print|exit|write|return|show|be|do|crash|fail|report|say) | gnu <word>
  | we (say|call|speak|write|considered|decided|thought|discussed|rejected) | (considered|decided against) <word>
  | (somebody|someone|reviewer|colleague|customer) (else)? (said|wrote|asked|suggested|proposed|thinks|claims)
  | (it|this|that) would be (wrong|nice|better|possible|confusing|an|tempting) | would be to
  | alternative would | were (it|this) | if this were | the operating system
undecided : ($be|remain|remains|left|intentionally|deliberately) $adverb? (unspecified|undefined|undecided|unstated
  |underspecified|underdefined|open|ambiguous|unclear | not specified | not defined
  | to be (decided|determined|defined|confirmed))
open_choice : left (open)? to (your)? (interpretation|discretion|judgement|judgment) | left to (the|your)
  (implementer|implementor
  |developer|programmer|reader|author|discretion|judgement|judgment|choice)
  | up to (you | the (implementer|developer|programmer|reader|author|implementation)) (to
  (decide|choose|determine|define))?
  | at your (discretion|choice) | (as|however|whichever) $decider (see|sees|think|thinks) fit | open to interpretation
  | tbd | subject to interpretation | as $decider (like|likes|prefer|prefers|choose|chooses|wish|wishes)
  | (decided|chosen|determined|defined|settled|picked) by (you | the
  (implementer|implementor|developer|programmer|coder|author|implementation)) | whichever|whatever $decider
  (like|likes|prefer|prefers|want|wants|think|thinks)
  | whatever $be (wrong|bad|broken|appropriate|suitable|necessary|needed|reasonable|sensible)
  | in (a|an|any|some) $fitting (way|manner|fashion|form|format|order)
decider : you | the (implementer|implementor|developer|programmer|coder|implementation)
fitting : suitable|appropriate|sensible|reasonable|fitting|meaningful|useful|nice
universal : (every|any|all) (possible|conceivable|imaginable)? (natural|human) (language|languages)
  | (every|any|all) (possible|conceivable|imaginable) (human-written|interpretation|interpretations|format|formats)
days_fewer : (fewer|less|sooner) than <num> days | under <num> days
days_at_most : within (the next)? <num> days | (at most | no more than | up to) <num> days | in the next <num> days
  | <num> days or (fewer|less)
days_more : (more than | over) <num> days
days_at_least : at least <num> days | <num> days or more
value_more : $be? (greater|more|higher|larger) than <num> | $be? over|above|exceeding|exceeds <num>
value_less : $be? (less|lower|smaller|fewer) than <num> | $be? under|below <num>
value_at_least : $be? at least <num> | $be? <num> or more
value_at_most : $be? at most <num> | $be? <num> or less
named : ($system|command|module)? $be? (named|called) <lit> | $system <lit>
column_list : (columns|fields|headers|header|column) (row|line)? (are|is|named|called|being|of|: | in this order
  :?)? $column_item
column_item : <lit>|<word>

takes : (takes|take|accepts|accept|receives|receive|expects|expect) $exactly?
takes_arguments : ($takes | with $exactly?) <num> (command-line|positional|required | command line)? $args
as_arguments : as (its|the|a|an)? (only|single|sole|one|two)? $args
switch : (with|given) the? (argument|option|flag|switch) <lit>
must_be : ($modal? be | is | are) always?

domain_between : (between|from|in) (the range)? <num> (and|to|through|..) <num> | <num> to <num>
domain_least : at least <num> | (no fewer | no less | not less) than <num> | (greater|more|larger|longer) than <num>
domain_most : at most <num> | up to <num> | (no more | not more) than <num> | (less|fewer|smaller|shorter) than <num>
domain_exactly : exactly|precisely <num>
domain_sign : positive|non-negative|nonnegative (integer|number|integers|numbers)
domain_pattern : (match|matches|matching) (the|this)? (regular expression | pattern|regex)? <lit>
  | (regular expression | regex|pattern) :? <lit>
domain_form : (the|this)? (form|format|shape) (of|:)? <lit>
domain_separator : (separated|delimited|divided|joined) by (a|an|one|single)? single? <lit>|<word>
domain_alphabet : (only|solely|just | nothing but) (of|from)? $character_class
  ($class_join $character_class)? ($class_join $character_class)?
character_class : (lowercase|lower-case|uppercase|upper-case|capital|ascii|hexadecimal|latin)?
  (letters|digits|blanks|spaces|hyphens|underscores) | (alphanumeric|hexadecimal) characters
class_join : , and? | and|or
vague_choice : $select ($det|all|only|most|each|every)? (most|very|really|more)? $vague <word>
denial : not|never|nothing|no|none|neither
"""

GRAMMAR = Grammar(RULES, SETS)

BEHAVIOUR = _forms(
    "accept add aggregate allow append apply ask assign average build calculate capitalise capitalize change check "
    "choose collapse collect combine compare compute concatenate consider contain convert copy count create decode "
    "deduplicate delete detect determine discard display divide drop echo emit encode end ensure evaluate exit extract "
    "fail fetch filter find finish flag format generate get give group handle identify ignore implement include insert "
    "join keep leave list load log look make map mark mask match merge multiply normalise normalize omit open order "
    "output parse pass perform pick prefix prepend preserve print process produce prompt provide put quit raise read "
    "receive recognise recognize reject remove rename repeat replace report require return reverse rotate round save "
    "search select send separate serve set show skip sort split start stop store strip subtract sum "
    "summarise summarize "
    "support swap take terminate tokenize transform translate treat trim truncate update use validate "
    "verify wait write "
    "yield abort answer refuse act behave close retry call run hold respond tolerate guarantee reconstruct rank"
)
"""Verbs that say what the program does."""
MODALS = SETS["modal"]
COPULAS = SETS["be"] | word_set(
    "equals lies lie means mean does do becomes remains stays belongs refers differ differs exist exists occur occurs"
)
CONJUNCTIONS = word_set("and but or then plus")
NOUN_LIKE = word_set(
    "output outputs return returns exit count report print format list order sum average process display change match "
    "log stop end start set rank write label filter"
)
"""Verbs of `BEHAVIOUR` that are as often nouns: verbs only before what an object starts with."""
AFTER_VERB = (
    SETS["det"]
    | SETS["exactly"]
    | SETS["adverb"]
    | word_set("each every all one nothing to with as it them from in into on at only those lines rows everything")
)
WHETHER = word_set("check checks see determine determines decide verify test tests know tell as what")
"""Words after which "if" means "whether"."""
MAKES = word_set("build write create implement develop design make provide define specify")
"""Verbs that order a program: "Write a program that ..."."""
SOFT = word_set("may optionally ideally preferably could optional bonus nice might")
DETERMINISM = word_set("deterministic deterministically determinism reproducible idempotent")
ARGUMENTS = word_set("argument arguments parameter parameters argv option options")
ENVIRONMENT = ("standard library", "network access", "internet access", "external dependencies", "third-party")
QUALITY = (
    "type hints",
    "type annotations",
    "docstring",
    "pep 8",
    "readable",
    "maintainable",
    "performance",
    "efficient",
    "efficiently",
    "fast",
    "scalable",
    "secure",
    "user-friendly",
    "well-documented",
    "documentation",
    "test coverage",
    "coding standards",
    "clean code",
    "memory usage",
    "without loading",
    "robust",
)
FILES = word_set("file files csv document tsv")
AHEAD = word_set(
    "expire expires expiring due end ends ending away ahead left remaining now renew renews upcoming next future until"
)
PRINTS = word_set("print prints printed printing display displays stdout echo echoes shows")
STDIN_ALTERNATIVES = (
    "or standard input",
    "or stdin",
    "or from stdin",
    "or from standard input",
    "default to stdin",
    "defaults to stdin",
    "defaulting to stdin",
    "zero or one positional",
    "if no filename is given",
)
"""Phrases that make the input file one way of two."""

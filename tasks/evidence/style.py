"""The looks of the pages: light, dark, and on paper."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1f2328; --good: #1a7f37; --bad: #b3261e; --open: #7a5600; --plain: #545d68;
  --line: #d0d7de; --box: #f3f4f6; --link: #0756b0; --mark: #fff3c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16191d; --ink: #e6e8eb; --good: #4ac26b; --bad: #ff8a80; --open: #e3b341; --plain: #a4aeb8;
    --line: #3d444d; --box: #22272e; --link: #79b8ff; --mark: #4d3f10;
  }
}
body {
  background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 54rem; margin: 2rem auto; padding: 0 1rem;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.banner { border: 2px solid; border-radius: 6px; padding: .75rem 1rem; font-weight: 600; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .9375rem; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .25rem; margin-top: 2rem; }
ul, ol { list-style: none; padding: 0; }
li.line { border-left: 4px solid; padding: .1rem .75rem; margin: .4rem 0; overflow-wrap: anywhere; }
ol.timeline { border-left: 2px solid var(--line); margin-left: .5rem; padding-left: 1rem; }
ol.timeline > li { position: relative; }
ol.timeline > li::before {
  content: ""; position: absolute; left: calc(-1rem - 9px); top: .6rem; width: 12px; height: 12px;
  border-radius: 50%; background: currentColor;
}
li:target { background: var(--mark); }
ul.details { color: var(--plain); font: .875rem/1.5 ui-monospace, monospace; margin: .25rem 0; }
ul.inner { margin: .25rem 0 .25rem .5rem; }
p.links { color: var(--plain); font-size: .875rem; margin: .25rem 0; }
pre.command {
  background: var(--box); color: var(--ink); border-radius: 4px; padding: .4rem .6rem; margin: .25rem 0;
  font: .875rem/1.4 ui-monospace, monospace; white-space: pre-wrap; user-select: all; -webkit-user-select: all;
}
summary { cursor: pointer; color: var(--ink); }
.text { color: var(--ink); }
.escape { color: var(--bad); font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); } .plain { color: var(--plain); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media print {
  body { max-width: none; margin: 0; }
  nav { display: none; }
  li.line { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
"""

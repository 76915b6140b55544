"""Models behind an HTTP interface, by pydantic-ai: OpenAI-compatible, Anthropic, Google. One question, one answer.

The library is the one client for all three: it maps their requests, counts and errors to one form. Its retries are off
(`tasks.models.client` makes them, so that each is sealed), and answers are bounded before they are read.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from contracts.modelling import ModelChoice
from tasks.errors import UsageError
from tasks.models.base import TEXT_BYTES, ModelFault, Question, Reply, UnusableAnswer
from tasks.models.keys import address, key, without_keys

if TYPE_CHECKING:
    import ssl

    import httpx2
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

ANSWER_BYTES = 8 * TEXT_BYTES
"""Of the whole HTTP body: the text may be escaped, and stands among other fields."""

TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 529}


class Hosted:
    """`tasks.models.base.Provider` over HTTP."""

    def ask(self, question: Question, choice: ModelChoice, timeout_s: float) -> Reply:
        """As `Provider.ask`.

        Raises:
            ModelFault: no answer, or none of the interface's form.
            UsageError: the key is missing, or the extra `models` is not installed.
        """
        require_library()
        try:
            return asyncio.run(_answer(question, choice, timeout_s))
        except (ModelFault, UsageError):
            raise
        except Exception as error:  # noqa: BLE001 - hostile bodies reach into the client; none of it passes
            raise _fault(error, choice) from None  # the cause may quote the key


def require_library() -> None:
    """Raises UsageError where the client library is not installed; does not import it."""
    from importlib.util import find_spec

    if find_spec("pydantic_ai") is None:
        raise UsageError("the clients of model providers are not installed: they come with the extra `models`")


async def _answer(question: Question, choice: ModelChoice, timeout_s: float) -> Reply:
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.settings import ModelSettings

    message = ModelRequest.user_text_prompt(question.prompt, instructions=question.system)
    settings = ModelSettings(max_tokens=question.output_tokens, max_retries=0)
    try:
        async with asyncio.timeout(timeout_s), _http_client(timeout_s) as http:
            response = await model_request(_model(choice, http), [message], model_settings=settings)
    except TimeoutError:
        raise ModelFault(f"{choice.model} did not answer within {timeout_s:g} s") from None
    return _reply(response, choice)


def _model(choice: ModelChoice, http: httpx2.AsyncClient) -> Model:
    secret, base = key(choice), address(choice)
    if choice.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(choice.model, provider=AnthropicProvider(api_key=secret, base_url=base, http_client=http))
    if choice.provider == "google":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel(choice.model, provider=GoogleProvider(api_key=secret, base_url=base, http_client=http))
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if choice.base_url is None:
        return OpenAIChatModel(choice.model, provider=OpenAIProvider(base, secret, http_client=http))
    compatible = OpenAICompatibleProvider("openai-compatible", base_url=base, api_key=secret, http_client=http)
    return OpenAIChatModel(choice.model, provider=compatible)


def _http_client(timeout_s: float) -> httpx2.AsyncClient:
    import httpx2

    return httpx2.AsyncClient(
        verify=_certificates(),
        timeout=httpx2.Timeout(timeout_s + 1, connect=min(timeout_s, 10.0)),  # the bound is `_answer`'s
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [_bound]},
    )


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Read once: it takes longer than all else that a call costs here."""
    import httpx2

    return httpx2.create_ssl_context()


class _TooLong(Exception):  # noqa: N818 - it is the answer that is
    """A body that is not read to its end."""


async def _bound(response: httpx2.Response) -> None:
    """Let no more than `ANSWER_BYTES` of a body reach memory; a compressed one could hold any amount."""
    import httpx2

    if response.headers.get("content-encoding", "identity") != "identity":
        raise _TooLong("compressed")
    inner = response.stream

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            length = 0
            async for chunk in inner:  # type: ignore[union-attr]  # an async client's response has an async stream
                length += len(chunk)
                if length > ANSWER_BYTES:
                    raise _TooLong(f"more than {ANSWER_BYTES} bytes")
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()  # type: ignore[union-attr]

    response.stream = Bounded()


def _reply(response: ModelResponse, choice: ModelChoice) -> Reply:
    from pydantic_ai.messages import TextPart

    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    usage = response.usage
    reason = response.finish_reason
    return Reply(
        text=without_keys(text),
        model=choice.model,
        finish_reason=reason if isinstance(reason, str) and len(reason) <= 64 else None,
        input_tokens=_count(usage.input_tokens),
        output_tokens=_count(usage.output_tokens),
        cached_tokens=_count(usage.cache_read_tokens),
        reasoning_tokens=_count(usage.details.get("reasoning_tokens", 0)),
    )


def _count(value: Any) -> int | None:
    """A token count; the library writes 0 for what a provider left out, which is unknown here.

    Raises:
        UnusableAnswer: it is no count (ADP-08).
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise UnusableAnswer("the provider counts tokens in something else than whole numbers")
    return value or None


def _fault(error: Exception, choice: ModelChoice) -> ModelFault:
    """The one typed outcome of whatever a client raised. No word of the server's is taken over: it may hold the key."""
    from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError

    chain = list(_chain(error))
    if any(isinstance(cause, _TooLong) for cause in chain):
        return UnusableAnswer(f"{choice.model} sent an answer that is too long or compressed; it was not read")
    status = next((cause.status_code for cause in chain if isinstance(cause, ModelHTTPError)), None)
    if status is not None and not 200 <= status < 300:
        wait = next((cause.retry_after for cause in chain if isinstance(cause, ModelHTTPError)), None)
        return ModelFault(
            f"{choice.provider} answers with status {status}", transient=status in TRANSIENT, retry_after=wait
        )
    if any(isinstance(cause, (ModelConnectionError, OSError)) for cause in chain):
        return ModelFault(f"{choice.provider} cannot be reached, or broke off", transient=True)
    return UnusableAnswer(f"{choice.provider} sent what is no answer of its interface ({type(error).__name__})")


def _chain(error: BaseException | None) -> Any:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__

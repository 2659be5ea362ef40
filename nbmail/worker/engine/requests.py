"""Requests of the engine: methods that queue the call of a handler and return a ticket.

A request is declared once, by the handler that it names:

    mark = request(lambda parts: parts.marking.mark)

Arguments, result and description are those of the handler. The request returns a ticket of the
result.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar, overload

from nbmail.worker.engine.engine_parts import Parts
from nbmail.worker.engine.engine_thread import EngineThread
from nbmail.worker.engine.jobs import JobSteps, Priority
from nbmail.worker.protocol.ticket import Ticket

P = ParamSpec("P")
Result = TypeVar("Result")

Request = Callable[Concatenate[EngineThread, P], Ticket[Result]]


@dataclass(frozen=True, slots=True)
class RequestKind:
    """Maker of requests that run at the same priority.

    `needs_model`: they wait until the model is loaded.
    """

    priority: Priority
    needs_model: bool = True

    @overload
    def __call__(
        self, find: Callable[[Parts], Callable[P, JobSteps[Result]]]
    ) -> Request[P, Result]: ...

    @overload
    def __call__(self, find: Callable[[Parts], Callable[P, Result]]) -> Request[P, Result]: ...

    def __call__(
        self, find: Callable[[Parts], Callable[P, JobSteps[Result] | Result]]
    ) -> Request[P, Result]:
        """Make a request from the handler that `find` returns."""

        def call(engine: EngineThread, /, *arguments: P.args, **named: P.kwargs) -> Ticket[Result]:
            def work(parts: Parts, show: Callable[[Result], None]) -> JobSteps[Result] | Result:
                handler = find(parts)
                return handler(*arguments, **named)

            return engine.start_job(work, self.priority, needs_model=self.needs_model)

        return call

    def growing(
        self,
        find: Callable[
            [Parts], Callable[Concatenate[Callable[[Result], object], P], JobSteps[Result]]
        ],
    ) -> Request[P, Result]:
        """Make a request that reports partial results, as `Progress.so_far`.

        The first argument of the handler takes them. Callers don't pass it.
        """

        def call(engine: EngineThread, /, *arguments: P.args, **named: P.kwargs) -> Ticket[Result]:
            def work(parts: Parts, show: Callable[[Result], None]) -> JobSteps[Result]:
                handler = find(parts)
                return handler(show, *arguments, **named)

            return engine.start_job(work, self.priority, needs_model=self.needs_model)

        return call


request = RequestKind(Priority.USER)
early_request = RequestKind(Priority.USER, needs_model=False)
long_request = RequestKind(Priority.WORK)
early_long_request = RequestKind(Priority.WORK, needs_model=False)
mail_request = RequestKind(Priority.MAIL)

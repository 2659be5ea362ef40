"""What the engine passes to its callers: tickets, results and events.

- `Engine` in `worker/engine/engine.py` has the requests, for example `engine.mark(messages,
  "spam")`. Each returns a `ticket.Ticket` at once.
- `ticket.then(done, failed=…, progressed=…, cancelled=…, ended=…)` registers callbacks for the
  window's thread. Without `failed`, the window's general error handler shows the failure.
  `ticket.drop()` cancels and forgets.
- `ticket.result(timeout)` waits; for command-line tools and tests.
- Events other than `TicketChanged` belong to no request. The window delivers `TicketChanged` with
  `ticket.deliver`.
"""

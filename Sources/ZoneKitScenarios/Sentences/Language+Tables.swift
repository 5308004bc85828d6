/// Sentences about the tables of a Supabase-style service.
extension Language {
  static let tables = tableTroubles + refusals + requestTroubles + tableSteps

  /// A sentence about the next requests or messages of a kind.
  private static func step(
    _ before: String, _ one: String, _ many: String, after: String = "", _ summary: String, example: String,
    _ trouble: @escaping @Sendable (SlotValues) -> TableTrouble
  ) -> Sentence {
    .step(
      "the cloud \(before) {which:the} next [{number}] \(one)|\(many) [of {device}]\(after)", summary,
      example: "the cloud \(before) the next \(example)"
    ) { .tables(.trouble(trouble($0), $0.faultCount, of: $0.someDevice)) }
  }

  private static let tableTroubles: [Sentence] = [
    step(
      "leaves", "join", "joins", after: " unanswered", "The next joins of channels get no reply. They count.",
      example: "2 joins of B unanswered"
    ) { _ in .silentJoin },
    step("refuses", "join", "joins", "The next joins of channels are refused.", example: "join of B") { _ in
      .refusedJoin
    },
    .step(
      "the cloud sends no events for {span} after {which:the} next [{number}] join|joins [of {device}]",
      "The next joins of channels are answered, and their channels get no events for that time.",
      example: "the cloud sends no events for 30s after the next join of B"
    ) { .tables(.trouble(.deafJoin($0.span()), $0.faultCount, of: $0.someDevice)) },
    step(
      "leaves", "heartbeat", "heartbeats", after: " unanswered", "The next heartbeats of sockets get no reply.",
      example: "heartbeat of B unanswered"
    ) { _ in .mutedHeartbeat },
    step("refuses", "socket", "sockets", "The next sockets are not opened.", example: "2 sockets of B") { _ in
      .refusedSocket
    },
    step(
      "cuts the socket at", "join", "joins", "The connection ends in place of the answer.", example: "join of B"
    ) { _ in .cutAtJoin },
    step(
      "cuts the socket at", "heartbeat", "heartbeats", "The connection ends in place of the answer.",
      example: "heartbeat of B"
    ) { _ in .cutAtHeartbeat },
    step(
      "cuts the socket at", "event", "events",
      "The connection ends in place of the event, also that of other devices.",
      example: "event"
    ) { _ in .cutAtEvent },
  ]

  private static var refusals: [Sentence] {
    TableTrouble.Refusable.allCases.map { request in
      let what = request == .call ? "calls of functions" : request.plural
      return step(
        "refuses", request.rawValue, request.plural, "The service is busy and refuses the next \(what).",
        example: "\(request.rawValue) of B"
      ) { _ in .refused(request) }
    }
  }

  private static let requestTroubles: [Sentence] = [
    step(
      "takes the token of", "request", "requests", after: " for ended",
      "The next requests for rows and objects are refused as those with a token that has ended.",
      example: "request of B for ended"
    ) { _ in .endedToken },
    step(
      "ends the session at", "refresh", "refreshes", "The service does not continue the session.",
      example: "refresh of B"
    ) { _ in .endedSession },
    step(
      "judges the token of", "request", "requests", after: " by a clock {span} ahead",
      "The clock that judges the access tokens of the next requests and joins is ahead.",
      example: "request of B by a clock 2h ahead"
    ) { .skewedToken($0.span(), isAhead: true) },
    step(
      "judges the token of", "request", "requests", after: " by a clock {span} behind",
      "The clock that judges the access tokens of the next requests and joins is behind.",
      example: "request of B by a clock 2h behind"
    ) { .skewedToken($0.span(), isAhead: false) },
    step(
      "refuses", "write", "writes", after: " with code {name}",
      "The next requests that write rows or objects are refused with an error code of the service.",
      example: "write of B with code 53100"
    ) { .refusedWrite(code: $0.name()) },
    step(
      "limits the stamps of", "write", "writes", after: " {span} earlier",
      "Edit stamps of the next requests that write rows may be ahead of the cloud's clock by that much less.",
      example: "write of B 2h earlier"
    ) { .earlierStamps($0.span()) },
  ]

  private static let tableSteps: [Sentence] = [
    .step(
      "a foreign client sets {name} of {record} to {value}",
      "A client that sends no stamps changes one column of a row; `none` is null.",
      example: "a foreign client sets name of A's last person to \"Ben\""
    ) { .tables(.set(column: $0.name(), of: $0.record(), $0.value)) },
    .step(
      "a foreign client removes {record}", "A client removes a row for good.",
      example: "a foreign client removes A's last person"
    ) { .tables(.remove($0.record())) },
    .step(
      "the cloud purges deletions older than {span}",
      "Rows that were deleted longer ago go for good, if no other row refers to them.",
      example: "the cloud purges deletions older than 30d"
    ) { .tables(.purge(olderThan: $0.span())) },
    .step(
      "the session of {device} ends", "The service does not continue the session of the device any more.",
      example: "the session of A ends"
    ) { .tables(.endSession(of: $0.device)) },
    .step(
      "the account of {device} is removed",
      "An administrator removes the account that is signed in on the device, with its sessions, rows and photos.",
      example: "the account of A is removed"
    ) { .tables(.removeAccount(of: $0.device)) },
    .step(
      "{device} gives {record} photo {number}",
      "The user gives the row a photo. Photos with different numbers have different bytes.",
      example: "A gives A's last person photo 3"
    ) { .tables(.givePhoto($0.number(), to: $0.record(), on: $0.device)) },
    .step(
      "{device} takes the photo of {record} away", "The user removes the photo of the row.",
      example: "A takes the photo of A's last person away"
    ) { .tables(.removePhoto(of: $0.record(), on: $0.device)) },
  ]
}

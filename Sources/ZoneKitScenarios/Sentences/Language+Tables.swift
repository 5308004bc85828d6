/// Sentences about the tables of a Supabase-style service.
extension Language {
  static var tables: [Sentence] {
    [
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
        "the cloud leaves {which:the} next [{number}] join|joins unanswered",
        "The next joins of channels get no reply.", example: "the cloud leaves the next 2 joins unanswered"
      ) { .tables(.silenceJoins($0.faultCount)) },
      .step(
        "the session of {device} ends", "The service does not continue the session of the device any more.",
        example: "the session of A ends"
      ) { .tables(.endSession(of: $0.device)) },
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
}

/// Sentences about plain clients of the protocol of documents.
extension Language {
  static let documents: [Sentence] = [
    .step(
      "a plain client reads {record}", "A client that knows only the protocol of documents reads one and keeps it.",
      example: "a plain client reads A's last log"
    ) { .documents(.read($0.record())) },
    .step(
      "a plain client sets {name} of {record} to {value}",
      "The client changes a member of what it read, at this time; `none` is null.",
      example: "a plain client sets notes of A's last log to \"late\""
    ) { .documents(.set(member: $0.name(), of: $0.record(), $0.value)) },
    .step(
      "a plain client omits {name} of {record}",
      "The client removes a member from what it read, as one does that does not know it, at this time.",
      example: "a plain client omits colour of A's last log"
    ) { .documents(.omit(member: $0.name(), of: $0.record())) },
    .step(
      "a plain client drops the items of {record}", "The client removes the items from what it read, at this time.",
      example: "a plain client drops the items of A's last log"
    ) { .documents(.dropItems(of: $0.record())) },
    .step(
      "a plain client pushes {record}", "The client sends what it has, based on the version that it read.",
      example: "a plain client pushes A's last log"
    ) { .documents(.push($0.record())) },
    .step(
      "a plain client creates {record}",
      "The client sends what it has as a new document with the version 1, as one that knows of no other.",
      example: "a plain client creates A's last weight"
    ) { .documents(.create($0.record())) },
    .step(
      "a plain client merges {record}",
      "The client merges what it has with the document that its last push met, of each item the later version, and names the "
        + "number after the greater of both versions.",
      example: "a plain client merges A's last log"
    ) { .documents(.merge($0.record())) },
  ]
}

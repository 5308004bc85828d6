/// All sentences of the language, in the order in which a line is compared with them.
enum Language {
  /// The sentences about one topic.
  struct Section: Sendable {
    /// The topic.
    let title: String
    /// The sentences.
    let sentences: [Sentence]
  }

  /// The sentences by topic.
  static let sections: [Section] = [
    Section(title: "Header", sentences: header), Section(title: "Options", sentences: options),
    Section(title: "Time and structure", sentences: general), Section(title: "The app", sentences: app),
    Section(title: "Links", sentences: links), Section(title: "Pushes", sentences: pushes),
    Section(title: "The cloud", sentences: cloud), Section(title: "Faults of requests", sentences: cloudFaults),
    Section(title: "Zones", sentences: zones), Section(title: "Tables", sentences: tables),
    Section(title: "Documents", sentences: documents), Section(title: "Processes", sentences: life),
    Section(title: "Accounts", sentences: accounts), Section(title: "Clocks", sentences: clocks),
    Section(title: "Disks", sentences: disks), Section(title: "Damage", sentences: damage),
    Section(title: "Resets", sentences: resets),
    Section(title: "Expectations", sentences: expectations),
  ]

  /// All sentences.
  static let sentences: [Sentence] = sections.flatMap(\.sentences)
}

/// Sentences about damaged and replaced files of the cloud and of devices.
extension Language {
  static let damage = zoneDamage + records + tokens

  private static let records: [Sentence] = [
    .step(
      "damage {record} in the cloud of {holder}",
      "A bit of the stored record flips: it does not match its checksum, and requests that read it fail.",
      example: "damage A's last action in the cloud of A"
    ) { .damage(.damageRecord($0.record(), of: $0.holder())) },
    .step(
      "damage photo {number} in the cloud of {holder}",
      "A bit of the stored bytes flips: they are served to nobody until a device uploads the photo again.",
      example: "damage photo 3 in the cloud of A"
    ) { .damage(.damagePhoto($0.number(), of: $0.holder())) },
    .step("back up the cloud", "Keeps a copy of the cloud's whole folder.", example: "back up the cloud") { _ in
      .damage(.backUpCloud)
    },
    .step(
      "restore the cloud from its backup",
      "Stops the cloud, replaces its whole folder by the copy, and starts it: devices offer what was lost.",
      example: "restore the cloud from its backup"
    ) { _ in .damage(.restoreCloud) },
    .step(
      "repair the cloud",
      "Stops the cloud, rebuilds damaged zones from what can be read, and starts it: devices offer what was lost.",
      example: "repair the cloud"
    ) { _ in .damage(.repairCloud) },
  ]

  private static let zoneDamage: [Sentence] =
    zonePhrases.flatMap { zone, example in
      [
        .step(
          "back up \(zone) of {holder}", "Keeps a copy of the zone's file.", example: "back up \(example) of A"
        ) { .damage(.backUpZone($0.optionalName("zone"), of: $0.holder())) },
        .step(
          "restore \(zone) of {holder} from its backup",
          "The copy replaces the zone's file, also while the cloud runs.",
          example: "restore \(example) of A from its backup"
        ) { .damage(.restoreZone($0.optionalName("zone"), of: $0.holder())) },
        .step(
          "\(zone) of {holder} loses its last [{number}] commit|commits",
          "Kills the cloud, tears the last commits off the zone's file, and starts the cloud.",
          example: "\(example) of A loses its last 2 commits"
        ) { .damage(.loseCommits($0.optionalNumber() ?? 1, $0.optionalName("zone"), of: $0.holder())) },
      ]
    }

  private static let tokens: [Sentence] =
    TokenKind.allCases.map { kind in
      .step(
        "damage the \(kind.rawValue) of {device}",
        "The change tokens that the device has stored become unreadable: \(kind.summary).",
        example: "damage the \(kind.rawValue) of A"
      ) { .damage(.damageTokens(kind, of: $0.device)) }
    }
}

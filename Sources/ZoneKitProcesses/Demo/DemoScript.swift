/// The stories of the demo, by the names of their apps.
package enum DemoScript: String, CaseIterable, Sendable {
  case nannyAndMe = "NannyAndMe"
  case swissCoin = "SwissCoin"
  case dietLog = "DietLog"

  /// The pauses of devices that a time from one screen to another includes.
  package var pauses: String {
    switch self {
    case .nannyAndMe, .dietLog: "B's debounce of 250 ms"
    case .swissCoin: "A's pause of 100 ms"
    }
  }

  /// The story of the app of that name; nil if there is none. Case and hyphens do not matter.
  package init?(app name: String) {
    let plain = { (text: String) in text.lowercased().filter { $0 != "-" } }
    guard let script = Self.allCases.first(where: { plain($0.rawValue) == plain(name) }) else { return nil }
    self = script
  }
}

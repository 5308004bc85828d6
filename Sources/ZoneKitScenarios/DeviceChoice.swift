/// The devices to which a step applies.
package enum DeviceChoice: Hashable, Sendable {
  /// `every device`.
  case every
  /// `A`, or `A, B and C`.
  case named([String])

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .every: "every device"
    case .named(let names): names.joined(separator: ", ")
    }
  }

  /// The names of the chosen devices among `all`.
  package func names(among all: [String]) -> [String] {
    switch self {
    case .every: all
    case .named(let names): names
    }
  }
}

/// The account to which a step applies.
package enum Holder: Hashable, Sendable {
  /// `A`: the account that is signed in on that device.
  case device(String)
  /// `account nanny`.
  case account(String)

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .device(let name): name
    case .account(let name): "account \(ScenarioWord.named(name))"
    }
  }
}

/// A device or the cloud.
package enum Place: Hashable, Sendable {
  case cloud
  case device(String)

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .cloud: "the cloud"
    case .device(let name): name
    }
  }
}

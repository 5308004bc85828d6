/// The devices that a step is for.
package enum DeviceChoice: Hashable, Sendable {
  /// `every device`.
  case every
  /// `A`, or `A, B and C`.
  case named([String])

  /// The words that read as this.
  package var text: String {
    switch self {
    case .every: "every device"
    case .named(let names): names.joined(separator: ", ")
    }
  }

  /// The devices among those that there are.
  package func names(among all: [String]) -> [String] {
    switch self {
    case .every: all
    case .named(let names): names
    }
  }
}

/// Whose of several accounts something is.
package enum Holder: Hashable, Sendable {
  /// `A`: of the account that is signed in there.
  case device(String)
  /// `account nanny`.
  case account(String)

  /// The words that read as this.
  package var text: String {
    switch self {
    case .device(let name): name
    case .account(let name): "account \(ScenarioWord.named(name))"
    }
  }
}

/// Where a record can be: on a device or in the cloud.
package enum Place: Hashable, Sendable {
  case cloud
  case device(String)

  /// The words that read as this.
  package var text: String {
    switch self {
    case .cloud: "the cloud"
    case .device(let name): name
    }
  }
}

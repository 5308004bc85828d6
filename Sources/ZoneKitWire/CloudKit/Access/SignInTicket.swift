import ZoneKitRecords

/// What a sign-in is for: the container and environment that asked for it, and the app. A ticket is part of a URL (CloudKit
/// Web Services, e.2).
package struct SignInTicket: Hashable, Sendable {
  /// The first segment of the path of the sign-in page.
  package static let root = "signin"
  /// The longest text of a ticket, in bytes.
  package static let lengthLimit = 4_096

  /// The container.
  package var container: Name
  /// The environment.
  package var environment: Environment
  /// The API token of the app; nil if it has none.
  package var apiToken: String?

  /// A ticket.
  package init(container: Name, environment: Environment, apiToken: String?) {
    self.container = container
    self.environment = environment
    self.apiToken = apiToken
  }

  /// Reads a ticket; nil if the text is none.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit, let content = Base64.decodeFromURL(text),
      let json = try? JSON(parsing: content), let container = json["container"]?.string, !container.isEmpty,
      let environment = json["environment"]?.string.flatMap(Environment.init(rawValue:))
    else { return nil }
    self.init(container: Name(container), environment: environment, apiToken: json["apiToken"]?.string)
  }

  /// The text of the ticket.
  package var text: String {
    Base64.encodeForURL(
      JSON(known: [
        "container": .string(container.text), "environment": .string(environment.rawValue),
        "apiToken": apiToken.map(JSON.string),
      ]).bytes())
  }

  /// The URL of the sign-in page of a server.
  package func url(root: String) -> String { "\(root)/\(Self.root)?ticket=\(text)" }
}

extension CloudKitRequest {
  /// The ticket to sign in for the request.
  var ticket: SignInTicket {
    SignInTicket(container: route.container, environment: route.environment, apiToken: credentials.apiToken)
  }
}

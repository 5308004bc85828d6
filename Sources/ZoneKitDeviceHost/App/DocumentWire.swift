/// The protocol over which a device asks a server of documents for them.
package enum DocumentWire: String, CaseIterable, Hashable, Sendable {
  /// The REST calls for documents. The server adds the sums of days.
  case rest
  /// CloudKit Web Services, where a document is a record. The server does not know that it is one, and adds no sums.
  case cloudkit

  /// The names of all protocols.
  package static var names: String { allCases.map(\.rawValue).joined(separator: " or ") }
}

extension DeviceApp {
  /// The app over another protocol. Nil if its cloud is no server of documents.
  package func over(_ wire: DocumentWire) -> DeviceApp? {
    guard let documents else { return nil }
    var app = self
    app.cloud = .documents(documents, over: wire)
    return app
  }

  /// The app over each of its protocols, the usual one first.
  package var variants: [DeviceApp] { documents == nil ? [self] : DocumentWire.allCases.compactMap { over($0) } }

  /// The protocol for documents; nil for an app without them.
  package var wire: DocumentWire? { if case .documents(_, let wire) = cloud { wire } else { nil } }

  /// The name of the app in the stores of its devices. A store over one protocol is of no use over another, because its
  /// change tags mean nothing there.
  package var storeName: String {
    guard let wire, wire != .rest else { return fullName }
    return "\(fullName) over \(wire.rawValue)"
  }
}

import ZoneKitRecords

extension ClientRequest {
  /// A client's call of a function of the server.
  package init(calling function: String, _ argument: JSON, from sender: SupabaseSender) {
    self.init("POST", "/functions/v1/\(HTTPPercent.encode(function))", body: argument.bytes())
    fields = sender.fields
  }
}

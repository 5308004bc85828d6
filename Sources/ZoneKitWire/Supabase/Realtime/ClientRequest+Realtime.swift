import ZoneKitRecords
import ZoneKitTables

extension ClientRequest {
  /// A client's request to open a realtime socket. `webSocketKey` is 16 random bytes in base64.
  package init(openingSocket version: ChannelVersion, from sender: SupabaseSender, webSocketKey: String) {
    let items = "apikey=\(HTTPPercent.encode(sender.key))&vsn=\(version.rawValue)"
    self.init("GET", "/realtime/v1/websocket?\(items)")
    let device = sender.fields.filter { $0.name == "X-Client-Info" }
    fields = device + WebSocketHandshake.requestFields(key: webSocketKey)
  }
}

import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// A device's request for rows and its answer as HTTP messages, written and read as on real devices and servers.
struct RowMessages {
  private let table: Table
  /// The request as the cloud reads it.
  private let call: RowCall

  /// The messages of a request of that device. Throws what the cloud answers to a request that it cannot read.
  init(
    _ request: RowRequest, _ demands: RowDemands, of table: Table, in schema: TableSchema, from deviceID: String,
    token: String?
  ) throws(RowError) {
    self.table = table
    let sender = SupabaseSender(key: "simulated", token: token, deviceID: deviceID)
    call = try RowCall(ClientRequest(request, demands, of: table, from: sender).received, schema: schema)
  }

  /// The request and its demands as the cloud reads them.
  var asked: (RowRequest, RowDemands) { (call.request, call.demands) }

  /// The answer as the device reads it. `damage` changes bytes of the message.
  func outcome(
    _ response: RowResponse, keeping kept: inout KeptRows, damagedBy damage: inout AnswerDamage?
  ) -> RowOutcome {
    RowOutcome(call.reply(response, keeping: &kept).received(damagedBy: &damage), of: table)
  }

  /// The violation if a device reads an answer as something else than the cloud says; nil for none.
  func finding(_ response: RowResponse, readAs outcome: RowOutcome) -> Finding? {
    var said = RowOutcome(response)
    if case .done(var result) = said {
      do throws(StoreError) {
        result.rows = .rows(try result.rows.rows(of: table))
      } catch {
        return Finding(.message, "a row of \(table.name) cannot be read: \(error)")
      }
      said = .done(result)
    }
    return said == outcome ? nil : Finding(.message, "the answer \(said) is read as \(outcome)")
  }
}

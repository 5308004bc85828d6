import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables
import ZoneKitWire

/// A device's request for rows of a user's own schema and its answer as HTTP messages, written and read as on real devices and
/// servers.
struct RelationMessages {
  /// The request as the cloud reads it.
  private let call: RelationCall

  /// The messages of a request of that device. Throws what the cloud answers to a request that it cannot read.
  init(_ request: RelationRequest, from deviceID: String, token: String?) throws(RowError) {
    let sender = SupabaseSender(key: "simulated", token: token, deviceID: deviceID)
    call = try RelationCall(ClientRequest(request, from: sender).received)
  }

  /// The request as the cloud reads it.
  var asked: RelationRequest { call.request }

  /// The answer as the device reads it. `damage` changes bytes of the message.
  func outcome(
    _ answer: Result<RelationResult, RowError>, damagedBy damage: inout AnswerDamage?
  ) -> RelationOutcome {
    RelationOutcome(call.reply(answer).received(damagedBy: &damage))
  }
}

import ZoneKitRecords

/// Determines which assets a record has after a save (CloudKit Web Services, b.5).
struct AssetRules {
  let recordName: Name
  /// The record before the save; empty if there is none.
  let before: Fields
  /// The zone, as far as it was read.
  let content: ZoneContent

  /// Whether a save has anything to do with assets.
  static func apply(to changes: [NamedFieldChange]) -> Bool { changes.contains { !$0.assets.isEmpty } }

  /// The changes with the assets that the record then has: those of receipts, and those that it has already.
  func settled(_ changes: [NamedFieldChange]) throws(EvaluationFailure) -> [NamedFieldChange] {
    var settled = changes
    for index in settled.indices {
      guard case .set(let value, let isTyped, let isEncrypted) = settled[index].change else { continue }
      let name = settled[index].name
      switch value {
      case .asset(let asset):
        settled[index].change = .set(.asset(try kept(asset, in: name)), isTyped: isTyped, isEncrypted: isEncrypted)
      case .assetList(let assets):
        var list: [Asset] = []
        for asset in assets { list.append(try kept(asset, in: name)) }
        settled[index].change = .set(.assetList(list), isTyped: isTyped, isEncrypted: isEncrypted)
      default: continue
      }
    }
    return settled
  }

  /// The asset as the record has it.
  private func kept(_ asset: Asset, in field: Name) throws(EvaluationFailure) -> Asset {
    let place = AssetPlace(recordName: recordName, fieldName: field)
    guard let receipt = asset.receipt else {
      let held = before[field]?.assets.first { $0.fileChecksum == asset.fileChecksum }
      guard let held else {
        throw AssetReceipt.refused(
          place, "an asset without a receipt must be the one that the field has; upload the bytes and send the receipt")
      }
      return held
    }
    let uploaded = try AssetReceipt.asset(of: receipt, for: place, in: content.key.database)
    guard asset.fileChecksum.isEmpty || asset.fileChecksum == uploaded.fileChecksum else {
      throw AssetReceipt.refused(place, "the receipt is for other bytes than fileChecksum names")
    }
    guard try content.assetSize(uploaded.fileChecksum) == uploaded.size else {
      throw AssetReceipt.refused(place, "the bytes of the receipt are not kept any more; upload them again")
    }
    return uploaded
  }
}

extension NamedFieldChange {
  /// The assets that the change sets.
  var assets: [Asset] { if case .set(let value, _, _) = change { value.assets } else { [] } }
}

import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// Receives the bytes of an asset in pieces, writes them to a file and hashes them. At any time it has one piece in memory. An
/// upload that breaks off leaves nothing.
final class AssetReceiver {
  private let exchange: HTTPExchange
  private let upload: UploadToken
  private let assets: AssetService
  private let draft: FileDraft
  private let digest = SHA256.Stream()
  /// Cuts the bytes out of a form; nil if the body is the bytes.
  private var cutter: FormFileCutter?
  private var size = 0
  private var hasEnded = false
  /// The most bytes of a form besides those of its file.
  private static let formRoom = 64 << 10

  /// A request to the URL of an upload arrived, which ends in that token.
  static func receive(_ exchange: HTTPExchange, with token: String, for assets: AssetService) {
    let upload: UploadToken
    do throws(CloudError) {
      upload = try assets.zones.process.beginUpload(token, at: assets.zones.now().wall)
    } catch {
      return exchange.refuse(with: AssetReplyWriter.failure(error, uuid: AssetRoute.uuid))
    }
    do throws(CloudError) {
      let receiver = try AssetReceiver(exchange, upload, assets)
      exchange.body?.onPiece = { receiver.received($0) }
      exchange.body?.onEnd = { receiver.ended($0) }
    } catch {
      assets.zones.process.breakOff(upload)
      exchange.refuse(with: AssetReplyWriter.failure(error, uuid: AssetRoute.uuid), readingAtMost: assets.limit)
    }
  }

  private init(_ exchange: HTTPExchange, _ upload: UploadToken, _ assets: AssetService) throws(CloudError) {
    self.exchange = exchange
    self.upload = upload
    self.assets = assets
    let type = exchange.request.fields["Content-Type"] ?? ""
    if type.lowercased().hasPrefix("multipart/") {
      guard let cutter = FormFileCutter(type) else {
        throw CloudError(.invalidArguments, "the Content-Type multipart/form-data needs a boundary of 1 to 70 bytes")
      }
      self.cutter = cutter
    }
    let room = assets.limit + (cutter == nil ? 0 : Self.formRoom)
    if let length = exchange.request.contentLength, length > room { throw Self.tooLarge(assets.limit) }
    do throws(StoreError) {
      var generator = SystemGenerator()
      let name = RandomIdentifier.uuid(using: &generator).lowercased()
      draft = try assets.bytes.files.draft(named: name, in: upload.database)
    } catch {
      throw CloudError(error)
    }
  }

  private func received(_ piece: [UInt8]) {
    guard !hasEnded else { return }
    do {
      let bytes = try cutter?.take(piece) ?? piece
      guard size + bytes.count <= assets.limit else { throw Self.tooLarge(assets.limit) }
      size += bytes.count
      digest.add(bytes)
      try draft.append(bytes[...])
    } catch {
      fail(Self.cloudError(error))
    }
  }

  private func ended(_ end: HTTPBodyStream.End) {
    guard !hasEnded else { return }
    switch end {
    case .brokenOff: giveUp()
    case .complete:
      guard cutter?.isComplete ?? true else {
        return fail(CloudError(.invalidArguments, "the form has no complete part with a file name or the name files"))
      }
      hasEnded = true
      // The disk may take its time. Others are served meanwhile.
      BackgroundWork.run(on: assets.loop) { [draft] in
        Result { () throws(StoreError) in try draft.finish() }
      } finish: { [self] result in
        keep(result)
      }
    }
  }

  /// The bytes are on the disk.
  private func keep(_ result: Result<Void, StoreError>) {
    do throws(StoreError) {
      try result.get()
      let asset = try assets.keep(draft, of: upload, hash: digest.end(), size: size)
      exchange.reply(AssetReplyWriter.uploaded(asset))
    } catch {
      fail(CloudError(error))
    }
  }

  private func fail(_ error: CloudError) {
    giveUp()
    exchange.refuse(with: AssetReplyWriter.failure(error, uuid: AssetRoute.uuid))
  }

  private func giveUp() {
    hasEnded = true
    draft.discard()
    assets.zones.process.breakOff(upload)
  }

  private static func cloudError(_ error: any Error) -> CloudError {
    switch error {
    case let error as CloudError: error
    case let error as HTTPError: CloudError(.invalidArguments, error.reason)
    case let error as StoreError: CloudError(error)
    default: CloudError(.internalError, "\(error)")
    }
  }

  private static func tooLarge(_ limit: Int) -> CloudError {
    CloudError(.limitExceeded, "an asset has at most \(limit) bytes")
  }
}

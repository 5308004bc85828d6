import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// Sends the bytes of an asset in pieces, as fast as the client reads them. Bytes that are not those that were uploaded are not
/// sent.
final class AssetSender {
  private let file: FileReading
  private let stream: HTTPAnswerStream
  private var rest: Range<Int>

  /// A request for the asset with that checksum arrived.
  static func send(_ checksum: String, in database: DatabaseID, to exchange: HTTPExchange, of assets: AssetService) {
    let place: DatabaseID?
    do throws(StoreError) {
      place = try assets.zones.process.placeOfAssets(in: database)
    } catch {
      return refuse(exchange, CloudError(error))
    }
    guard let database = place, let hash = Asset.hash(of: checksum), !assets.zones.process.hasObjects(database) else {
      return refuse(exchange, missing(checksum))
    }
    guard !assets.bytes.isVerified(hash, in: database) else { return send(hash, checksum, database, exchange, assets) }
    let files = assets.bytes.files
    BackgroundWork.run(on: assets.loop) {
      Result { () throws(StoreError) in try AssetBytes.verify(hash, in: database, of: files) }
    } finish: { result in
      assets.verified(hash, in: database, result)
      switch result {
      case .success(nil): refuse(exchange, missing(checksum))
      case .success: send(hash, checksum, database, exchange, assets)
      case .failure(let error): refuse(exchange, CloudError(.internalError, "the asset cannot be read: \(error)"))
      }
    }
  }

  private static func send(
    _ hash: String, _ checksum: String, _ database: DatabaseID, _ exchange: HTTPExchange, _ assets: AssetService
  ) {
    do throws(StoreError) {
      let path = assets.bytes.files.path(hash, in: database)
      guard let file = try FileReading(path), let size = try assets.bytes.files.size(hash, in: database) else {
        return refuse(exchange, missing(checksum))
      }
      let answer = AssetDownload(of: checksum, size: Int(size), to: exchange.request, uuid: AssetRoute.uuid)
      guard let range = answer.range else { return exchange.reply(answer.head) }
      let stream = exchange.stream(
        status: answer.head.status, fields: answer.head.fields, contentType: answer.head.contentType,
        length: range.count)
      guard exchange.request.method != "HEAD" else { return stream.finish() }
      AssetSender(file, range, to: stream).start()
    } catch {
      refuse(exchange, CloudError(.internalError, "the asset cannot be read: \(error)"))
    }
  }

  private static func missing(_ checksum: String) -> CloudError {
    CloudError(.assetNotAvailable, "there is no asset with the checksum \(checksum); a record may have had it")
  }

  private static func refuse(_ exchange: HTTPExchange, _ error: CloudError) {
    exchange.reply(AssetReplyWriter.failure(error, uuid: AssetRoute.uuid))
  }

  private init(_ file: FileReading, _ range: Range<Int>, to stream: HTTPAnswerStream) {
    self.file = file
    self.stream = stream
    rest = range
  }

  private func start() {
    stream.onReady = { self.goOn() }
    goOn()
  }

  private func goOn() {
    while !rest.isEmpty {
      guard !stream.isFull else { return }
      let count = min(rest.count, AssetBytes.pieceSize)
      guard let piece = try? file.bytes(from: rest.lowerBound, count: count), !piece.isEmpty else {
        // The head is sent already, so the client notices by the length.
        return stream.breakOff()
      }
      rest = (rest.lowerBound + piece.count)..<rest.upperBound
      stream.send(piece)
    }
    stream.finish()
  }
}

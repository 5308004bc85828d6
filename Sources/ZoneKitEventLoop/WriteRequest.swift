import ZoneKitCUV

/// The single allocation of a queued write: libuv's request, followed by the bytes, which it owns until they are
/// written.
enum WriteRequest {
  /// Queues a copy of `bytes`. When they are written, `wrote(_:)` of the stream's owner is called. Returns libuv's
  /// status.
  static func queue(_ bytes: UnsafeRawBufferPointer, on stream: UnsafeMutablePointer<uv_stream_t>) -> Int32 {
    let head = MemoryLayout<uv_write_t>.stride
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: head + bytes.count, alignment: MemoryLayout<uv_write_t>.alignment)
    let request = block.bindMemory(to: uv_write_t.self, capacity: 1)
    let body = (block + head).bindMemory(to: CChar.self, capacity: bytes.count)
    UnsafeMutableRawBufferPointer(start: body, count: bytes.count).copyMemory(from: bytes)
    var buffer = uv_buf_t(base: body, len: bytes.count)
    let status = uv_write(request, stream, &buffer, 1) { WriteRequest.finish($0, $1) }
    if status != 0 { block.deallocate() }
    return status
  }

  private static func finish(_ request: UnsafeMutablePointer<uv_write_t>?, _ status: Int32) {
    guard let request else { return }
    let data = request.pointee.handle.pointee.data
    UnsafeMutableRawPointer(request).deallocate()
    guard let data else { return }
    Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue().wrote(status)
  }
}

import ZoneKitCUV

/// The file system that holds a folder.
package struct FileSystem: Hashable, Sendable {
  /// Whether it is in memory, so that nothing in it survives a restart of the machine.
  package let isInMemory: Bool
  /// The bytes that are free for this user.
  package let freeBytes: Int64

  /// The magic numbers of tmpfs and ramfs (statfs(2)).
  private static let inMemory: [UInt64] = [0x0102_1994, 0x8584_58F6]

  /// Asks the system. Throws if there is no such folder.
  package init(of folder: String) throws(LoopError) {
    let request = UnsafeMutablePointer<uv_fs_t>.allocate(capacity: 1)
    defer { request.deallocate() }
    // Without a callback the call is done when it returns, and needs no loop.
    let status = uv_fs_statfs(nil, request, folder, nil)
    defer { uv_fs_req_cleanup(request) }
    guard status == 0, let answer = request.pointee.ptr?.assumingMemoryBound(to: uv_statfs_t.self).pointee else {
      throw LoopError(status, "ask for the file system of", folder)
    }
    isInMemory = Self.inMemory.contains(answer.f_type)
    freeBytes = Int64(clamping: answer.f_bavail.multipliedReportingOverflow(by: answer.f_bsize).partialValue)
  }
}

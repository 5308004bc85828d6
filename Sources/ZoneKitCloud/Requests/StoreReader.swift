import ZoneKitRecords

/// Reads from a store on behalf of a request: what the machine room does to it becomes what a client is told.
struct StoreReader<Store: ZoneStore> {
  private let store: Store

  init(store: Store) { self.store = store }

  func database(_ id: DatabaseID) throws(CloudError) -> DatabaseState {
    do { return try store.database(id) } catch { throw CloudError(error) }
  }

  func zones(in database: DatabaseID) throws(CloudError) -> [ZoneHeader] {
    do { return try store.zones(in: database) } catch { throw CloudError(error) }
  }

  func zone(_ key: ZoneKey) throws(CloudError) -> ZoneHeader? {
    do { return try store.zone(key) } catch { throw CloudError(error) }
  }

  func record(_ name: Name, in zone: ZoneKey) throws(CloudError) -> StoredRecord? {
    do { return try store.record(name, in: zone) } catch { throw CloudError(error) }
  }

  func fields(of record: StoredRecord) throws(CloudError) -> Fields {
    do { return try record.fields.decoded() } catch { throw CloudError(error) }
  }

  func references(to name: Name, in zone: ZoneKey) throws(CloudError) -> [StoredReference] {
    do { return try store.references(to: name, in: zone) } catch { throw CloudError(error) }
  }

  func schema(of recordType: Name, in zone: ZoneKey) throws(CloudError) -> [FieldDefinition] {
    do { return try store.schema(of: recordType, in: zone) } catch { throw CloudError(error) }
  }

  func feed(_ query: FeedQuery, in zone: ZoneKey) throws(CloudError) -> FeedPage {
    do { return try store.feed(query, in: zone) } catch { throw CloudError(error) }
  }
}

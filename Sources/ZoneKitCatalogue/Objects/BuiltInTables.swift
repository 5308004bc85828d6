import ZoneKitRelations
import ZoneKitSchema

/// The tables that are there before the first statement (Supabase: the schemas auth and storage). Their rows are those of
/// the parts of the server that keep accounts and objects.
package enum BuiltInTables {
  /// The accounts.
  package static let users = ObjectName("auth", "users")
  /// The buckets of objects.
  package static let buckets = ObjectName("storage", "buckets")
  /// The objects.
  package static let objects = ObjectName("storage", "objects")

  /// The tables by name.
  package static let all: [ObjectName: CatalogueTable] = Dictionary(
    uniqueKeysWithValues: [usersTable, bucketsTable, objectsTable].map { ($0.name, $0) })

  private static var usersTable: CatalogueTable {
    var table = CatalogueTable(
      users,
      [
        CatalogueColumn("id", .uuid, isNullable: false), CatalogueColumn("email", .text),
        CatalogueColumn("raw_user_meta_data", .jsonb), CatalogueColumn("raw_app_meta_data", .jsonb),
        CatalogueColumn("created_at", .timestamptz(nil)), CatalogueColumn("updated_at", .timestamptz(nil)),
        CatalogueColumn("last_sign_in_at", .timestamptz(nil)),
      ])
    table.primaryKey = KeyConstraint("users_pkey", ["id"])
    return table
  }

  private static var bucketsTable: CatalogueTable {
    var table = CatalogueTable(
      buckets,
      [
        CatalogueColumn("id", .text, isNullable: false), CatalogueColumn("name", .text, isNullable: false),
        CatalogueColumn("owner", .uuid), CatalogueColumn("public", .boolean),
        CatalogueColumn("file_size_limit", .bigint), CatalogueColumn("allowed_mime_types", .array(.text)),
        CatalogueColumn("created_at", .timestamptz(nil)), CatalogueColumn("updated_at", .timestamptz(nil)),
      ])
    table.primaryKey = KeyConstraint("buckets_pkey", ["id"])
    table.uniques = [KeyConstraint("bname", ["name"])]
    return table
  }

  private static var objectsTable: CatalogueTable {
    var table = CatalogueTable(
      objects,
      [
        CatalogueColumn("id", .uuid, isNullable: false), CatalogueColumn("bucket_id", .text),
        CatalogueColumn("name", .text), CatalogueColumn("owner", .uuid), CatalogueColumn("owner_id", .text),
        CatalogueColumn("created_at", .timestamptz(nil)), CatalogueColumn("updated_at", .timestamptz(nil)),
        CatalogueColumn("last_accessed_at", .timestamptz(nil)), CatalogueColumn("metadata", .jsonb),
        CatalogueColumn("version", .text), CatalogueColumn("user_metadata", .jsonb),
      ])
    // The version is the hash of the bytes, by which bytes that belong to no object are found.
    table.indexes = [
      CatalogueIndex(
        name: "objects_version", method: .btree,
        parts: [CreateIndex.Part(SQLExpression(.column(SQLColumn("version"))))], condition: nil, isUnique: false)
    ]
    table.primaryKey = KeyConstraint("objects_pkey", ["id"])
    table.uniques = [KeyConstraint("bucketid_objname", ["bucket_id", "name"])]
    table.foreignKeys = [ForeignKeyConstraint("objects_bucketId_fkey", ["bucket_id"], to: buckets, ["id"])]
    table.hasRowSecurity = true
    return table
  }
}

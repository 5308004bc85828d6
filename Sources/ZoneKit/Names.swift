import ZoneKitRecords
import ZoneKitSimulator

// One `import ZoneKit` is enough: these are the names that an app's rules and its tests are written with.

// MARK: What a record is

/// An error that the cloud answers with.
public typealias CloudError = ZoneKitRecords.CloudError
/// What the cloud can answer instead of a result, by the names of CloudKit's native errors.
public typealias CloudErrorCode = ZoneKitRecords.CloudErrorCode
/// One field of a record.
public typealias Field = ZoneKitRecords.Field
/// The value of one field; literals of texts, numbers and truths stand for one.
public typealias FieldValue = ZoneKitRecords.FieldValue
/// The fields of a record; a dictionary literal stands for some.
public typealias Fields = ZoneKitRecords.Fields
/// A place on Earth.
public typealias Location = ZoneKitRecords.Location
/// A name of a record, zone, type, field or user; a literal of a text stands for one.
public typealias Name = ZoneKitRecords.Name
/// Names a record: its name and its zone.
public typealias RecordID = ZoneKitRecords.RecordID
/// A pointer from one record to another.
public typealias Reference = ZoneKitRecords.Reference
/// What a disk can do to a device.
public typealias StoreError = ZoneKitRecords.StoreError
/// A moment by a wall clock.
public typealias WallTime = ZoneKitRecords.WallTime
/// Names a zone; a literal of a text stands for one of the user's own.
public typealias ZoneID = ZoneKitRecords.ZoneID

// MARK: What an app tells its coordinator, and hears from it

/// Two versions of a record that were made apart.
public typealias Conflict = CoordinatorConflict
/// An entry of the conflict journal: two versions met, and what became of them.
public typealias ConflictEntry = CoordinatorConflictEntry
/// What an app tells its coordinator once.
public typealias CoordinatorConfiguration = CoordinatorSettings
/// All there is to say about one device for people who look for the cause of trouble.
public typealias DeviceDiagnostics = CoordinatorDiagnostics
/// The three-way merge of two versions' fields.
public typealias FieldMerge = CoordinatorFieldMerge
/// The app's rule for two versions of one record that were made apart.
public typealias MergePolicy = CoordinatorMergePolicy
/// What an app put into a record.
public typealias RecordContent = CoordinatorRecordContent
/// One edit that the app makes.
public typealias RecordEdit = CoordinatorRecordEdit
/// What a merge policy made of a conflict.
public typealias Resolution = CoordinatorResolution
/// What a reset forgets on a device.
public typealias StoreReset = CoordinatorStoreReset

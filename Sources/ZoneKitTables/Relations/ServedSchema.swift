/// A schema that a cloud can serve. Devices do not look inside.
package protocol ServedSchema: Sendable {}

import ZoneKit

/// Anna and Ben with bread on the list of both.
func worldWithBread() throws -> World {
  let world = World(shopping, devices: ["Anna", "Ben"])
  try world["Anna"].save("bread", ["title": "Bread"])
  world.wait(.seconds(20))
  return world
}

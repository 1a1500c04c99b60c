// Hooks of pnpm for packing and publishing (npm_config_pnpmfile): it puts dependencies of the workspace in the order in which it is done with them, which is not
// always the same. A tarball is to be the same every time.
const lists = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']

module.exports = {
  hooks: {
    beforePacking (manifest) {
      for (const key of lists) if (manifest[key] !== undefined) manifest[key] = Object.fromEntries(Object.entries(manifest[key]).sort(([a], [b]) => a < b ? -1 : 1))
      return manifest
    }
  }
}

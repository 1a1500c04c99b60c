/** UP-01: the packages of the framework. */
import { atKey, type Found, type UpgradeRule } from '../rule.js'

const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
const published = 'npm:@fastback/loopback@1'

/** Whether the lowest version of a range is below 3: `^2.22.0`, `~2.0`, `2.x`, `>=1`, `2.0.0-beta3`. */
export const isBefore3 = (range: string): boolean => /^[\^~>=v\s]*[012](\.|$)/.test(range)

export const dependencies: UpgradeRule = {
  rule: 'UP-01',
  severity: 'changes',
  what: 'depend on version 3 of the framework, and no longer on the juggler by itself',
  find: ({ manifest }, { loopback: ours = published }) => groups.flatMap(group => manifest.keys(group).flatMap((
    name
  ): Found[] => {
    const range = manifest.value(group, name)
    const at = [group, name]
    if (name === 'loopback' && typeof range === 'string' && isBefore3(range)) {
      return [atKey(manifest, at, {
        what: `"loopback" ${range}: this framework answers to the name; connectors, components and packages of your own stay, ` +
          'and strong-error-handler comes with it',
        after: `"loopback": "${ours}"`,
        edits: [{ file: manifest.file, at, value: ours }]
      })]
    }
    if (name !== 'loopback-datasource-juggler') return []
    return [atKey(manifest, at, {
      what: 'the juggler is a part of the framework',
      after: '',
      edits: [{ file: manifest.file, at, value: undefined }]
    })]
  }))
}

/** The upgrade of folders that were written for LoopBack 2: the rules, and what they are looked for in. */
export { Folder } from '../load/folder.js'
export { positionAt } from './position.js'
export { upgradeRules } from './rules.js'
export { readSources, type SourceOptions, type Sources } from './sources.js'
export type { Script } from './script.js'
export type { Parse, SyntaxNode } from './syntax.js'
export type { Found, JsonEdit, TextEdit, UpgradeChoices, UpgradeEdit, UpgradeRule, UpgradeSeverity } from './rule.js'

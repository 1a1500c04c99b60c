import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { newApplication } from '../src/index.js'
import { down, enter, type Step } from './dialogue.js'

/** An application that the dialogues fit. */
export async function shop (t: Test): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template: 'empty-server', cwd: t.testdir() })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
  return folder
}

/** The generators with the questions that come up and the keys that answer them. */
export const dialogues: ReadonlyArray<readonly [what: string, steps: readonly Step[]]> = [
  ['model', [
    ['Name of the model', `Tea${enter}`], ['Which data source', enter], ['extend', enter], ['Publish', enter],
    ['Plural', `teas${enter}`], ['server\'s own', enter], ['Who may', down + down + enter],
    ['A property', `title${enter}`], ['Its type', enter], ['Required', 'y'], ['Default', enter], ['A property', enter]
  ]],
  ['property', [
    ['Which model', enter], ['Name of the property', `cups${enter}`], ['Its type', down + enter], ['Required', enter],
    ['Default', `2${enter}`]
  ]],
  ['relation', [
    ['Which model', enter], ['type of relation', down + enter], ['lead to', enter], ['Name of the relation', `blend${enter}`],
    ['foreign key', `blendId${enter}`], ['Publish the other', enter], ['Keep callers', enter]
  ]],
  ['remote-method', [
    ['Which model', enter], ['Name of the method', `brew${enter}`], ['method of the model', enter],
    ['What does it do', `Brews${enter}`],
    ['An endpoint', `/brew${enter}`], ['Its verb', enter], ['An endpoint', enter],
    ['An argument', `cups${enter}`], ['Its type', down + enter], ['Required', 'y'], ['What it is', enter], ['in the request', enter],
    ['An argument', enter],
    ['A result', `ready${enter}`], ['Its type', down + down + enter], ['whole answer', enter], ['What it is', enter],
    ['A result', enter]
  ]],
  ['mixin', [['Name of the mixin', `Stamped${enter}`], ['Which models', ` ${enter}`]]],
  ['component', [['Which component', `./components/metrics${enter}`], ['Its options', `{"on":true}${enter}`]]],
  ['middleware', [
    ['Which middleware', `./middleware/stamp${enter}`], ['In which phase', enter], ['Where in the phase', enter],
    ['For which paths', `/api${enter}`], ['Its params', enter]
  ]],
  ['boot-script', [['Name of the script', `greet${enter}`], ['start wait', enter]]],
  ['datasource', [['Name of the data', `cache${enter}`], ['Which connector', enter], ['File', enter], ['further setting', enter]]],
  ['user-model', [['Name of the user', `Member${enter}`], ['data source', enter], ['model of tokens', enter]]],
  ['acl', [
    ['Which model', down + down + enter], ['For what', enter], ['type of access', enter], ['Whose', enter], ['What then', enter]
  ]]
]

import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, environment, json } from '../common-options.js'
import { routesOf, type Route } from '../list-routes.js'
import type { Terminal } from '../terminal.js'

export const routesCommand = defineCommand({
  meta: { name: 'routes', description: 'List the routes of an application' },
  args: { ...application, ...environment, ...json, ...debug },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const { routes, unreachable, compound } = await routesOf(path.resolve(terminal.cwd, args.dir), { env: args.env })
    if (args.json === true) terminal.print(JSON.stringify(routes, null, 2))
    else if (routes.length > 0) terminal.print(table(routes))
    else terminal.complain(whyNone(unreachable))
    for (const [model, names] of Object.entries(compound)) {
      terminal.complain(`${model} has no routes by id: its id is compound (${names.join(', ')}).`)
    }
  }
})

const whyNone = (unreachable: readonly string[]): string => unreachable.length === 0
  ? 'No model is published.'
  : `Nothing mounts REST, so that no route leads to the public models (${unreachable.join(', ')}). In a folder ` +
    '"fastback#rest" stands in the phase "routes" of middleware.json; code registers @fastback/rest.'

function table (routes: readonly Route[]): string {
  const rows = routes.map(({ verb, path, method, accessType }) => [verb, path, method, accessType ?? ''])
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => (row[column] as string).length)))
  return rows.map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n')
}

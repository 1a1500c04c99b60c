import { defineCommand, type ArgsDef } from 'citty'
import { completionFor, shells } from '../completion.js'
import { debug } from '../common-options.js'
import { UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'

type AllArgs = Readonly<Record<string, ArgsDef>>

/** @param argsOf the options of all commands, by name */
export const completionCommand = (argsOf: () => Promise<AllArgs>) => defineCommand({
  meta: { name: 'completion', description: 'Print what bash, zsh or fish needs to complete commands and options' },
  args: { shell: { type: 'positional', description: shells.join(', '), required: true }, ...debug },
  async run ({ args, data }) {
    const shell = shells.find(each => each === args.shell)
    if (shell === undefined) throw new UsageError(`"${args.shell}" has no completion. These have: ${shells.join(', ')}.`)
    const all = Object.entries(await argsOf())
    const commands = all.map(([name, definitions]) => [name, optionsOf(definitions)] as const)
    const terminal = data as Terminal
    terminal.print(completionFor(shell, Object.fromEntries(commands)))
  }
})

const optionsOf = (definitions: ArgsDef): string[] => Object.entries(definitions).flatMap(([name, definition]) => {
  if (definition.type === 'positional') return []
  const aliases = 'alias' in definition ? [definition.alias ?? []].flat() : []
  return [`--${name}`, ...aliases.map(alias => `-${alias}`)]
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import { debug, json } from '../common-options.js'
import { PushSettingsLeftError, UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'

export const pushCommand = defineCommand({
  meta: { name: 'push', description: 'Make keys for Web Push, or try the push settings of an application: push keys, push settings FILE' },
  args: {
    action: { type: 'positional', description: 'keys, or settings', required: true },
    file: { type: 'positional', description: 'settings: a JSON file with what stands in pushSettings', required: false },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    if (args.action === 'keys') await printKeys(terminal, args.json === true)
    else if (args.action === 'settings') await trySettings(terminal, args.file, args.json === true)
    else throw new UsageError(`There is no "push ${args.action}". Call "fastback push keys" or "fastback push settings FILE".`)
  }
})

async function printKeys (terminal: Terminal, asJson: boolean): Promise<void> {
  const { makeWebPushKeys } = await import('@fastback/push')
  const keys = makeWebPushKeys()
  const web = { subject: 'mailto:you@example.com', ...keys }
  terminal.print(asJson
    ? JSON.stringify(keys, null, 2)
    : `For the pushSettings of an application; the private key is a secret:\n\n${JSON.stringify({ web }, null, 2)}`)
}

/** Nothing is asked of a service: whether a provider can be made is what is tried. */
async function trySettings (terminal: Terminal, file: string | undefined, asJson: boolean): Promise<void> {
  if (file === undefined) throw new UsageError('Say which file: "fastback push settings FILE".')
  const place = path.resolve(terminal.cwd, file)
  let settings: unknown
  try {
    settings = JSON.parse(readFileSync(place, 'utf8'))
  } catch {
    throw new UsageError(`"${file}" is no JSON file that can be read.`)
  }
  if (settings === null || typeof settings !== 'object') throw new UsageError(`"${file}" holds no object.`)
  const { checkPushSettings } = await import('@fastback/push')
  const checked = checkPushSettings(settings as Readonly<Record<string, unknown>>, path.dirname(place))
  terminal.print(asJson
    ? JSON.stringify(checked, null, 2)
    : checked.map(({ part, deviceType, fault }) => `${part} (${deviceType}): ${fault ?? 'a provider can be made'}`).join('\n'))
  const bad = checked.filter(({ fault }) => fault !== undefined)
  if (bad.length > 0 || checked.length === 0) {
    throw new PushSettingsLeftError(bad.map(({ part }) => part).join(', ') || 'none of apns, fcm and web is there')
  }
}

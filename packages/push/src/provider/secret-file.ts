/** Keys as settings have them: the text itself, or the name of a file (PU-51). */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PushSettingsError } from '../errors.js'

/**
 * A private key from its PEM text or file.
 * @param what the path of the setting, for messages: the value is a secret
 * @throws FBK_PUSH_SETTINGS
 */
export function privateKey (value: unknown, what: string, baseDir: string): KeyObject {
  if (typeof value !== 'string' || value === '') throw new PushSettingsError(what, 'must be a private key, or the file of one.')
  try {
    // In variables of the environment line ends are often written as two characters.
    const text = value.includes('-----BEGIN')
      ? value.replaceAll('\\n', '\n')
      : readFileSync(path.resolve(baseDir, value), 'utf8')
    return createPrivateKey(text)
  } catch {
    throw new PushSettingsError(what, 'is no private key in PEM form, nor a file with one.')
  }
}

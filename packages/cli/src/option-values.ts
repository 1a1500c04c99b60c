/** From the text of an option to what it stands for. */
import { UsageError } from './errors.js'

/** @throws FBK_CLI_USAGE */
export function integerOption (option: string, text: string, most: number): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < 0 || number > most) {
    throw new UsageError(`"--${option}" must be a whole number from 0 to ${most}, not "${text}".`)
  }
  return number
}

/** The words of a list with commas. */
export const wordsOf = (text: string | undefined): string[] | undefined =>
  text?.split(',').map(word => word.trim()).filter(word => word !== '')

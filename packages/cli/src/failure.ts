/** What a person reads when a command failed: one line, `error CODE: message`, and where there is more of it. */
import { inspect, stripVTControlCharacters } from 'node:util'
import {
  CancelledError, DifferencesError, DifferencesLeftError, FindingsError, MigrationNeededError, NotWellError,
  RekeyNeededError, UpgradeLeftError, UsageError
} from './errors.js'
import { explanationOf } from './explanations.js'

/** It did what it should, and found something. */
const findings = [DifferencesError, DifferencesLeftError, FindingsError, NotWellError, UpgradeLeftError]

/** Errors that mean "called wrongly" (exit code 2): ours, and those of the argument parser. */
function isUsageFailure (error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && error.name === 'CLIError')
}

/**
 * 2 called wrongly, or a migration or new keys are needed; 3 it did what it should and found something; 130 cancelled;
 * 1 everything else (CL-7).
 */
export function exitCodeOf (error: unknown): number {
  if (isUsageFailure(error) || error instanceof MigrationNeededError || error instanceof RekeyNeededError) return 2
  if (error instanceof CancelledError) return 130
  return findings.some(Findings => error instanceof Findings) ? 3 : 1
}

/**
 * The line, and for something that failed with a code that is explained, the command that explains it. Who called a
 * command wrongly, or was told what it found, has been told what to do.
 * @param options.stack whether to add the stack, with its causes
 * @param options.place where it was thrown: the message has the place in the file that was loaded, and what that called
 * is deeper
 */
export function failureText (error: unknown, options: { stack: boolean, place?: string | undefined }): string {
  const { place } = options
  const line = failureLine(error, options)
  const code = codeOf(error)
  const isExplained = exitCodeOf(error) === 1 && explanationOf(code) !== undefined
  return [
    line,
    ...place === undefined || line.includes(place) ? [] : [`  at ${place}`],
    ...isExplained ? [`More: fastback explain ${code}`] : []
  ].join('\n')
}

/**
 * @param options.stack whether to add the stack, with its causes
 */
export function failureLine (error: unknown, options: { stack: boolean }): string {
  const line = `error ${codeOf(error)}: ${messageOf(error)}`
  return options.stack && error instanceof Error ? `${line}\n${inspect(error)}` : line
}

function codeOf (error: unknown): string {
  if (isUsageFailure(error)) return 'FBK_CLI_USAGE'
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return 'Error'
}

/** Messages of several lines (syntax errors of application code) are put on one; items of a list stay on theirs. */
function messageOf (error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = stripVTControlCharacters(text).split('\n').map(line => line.trim()).filter(line => line !== '')
  if (lines.length === 0) return 'it gave no reason'
  return lines.reduce((all, line) => all + (line.startsWith('- ') ? '\n  ' : ' ') + line)
}

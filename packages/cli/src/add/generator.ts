/** A generator: questions, and what follows from the answers. */
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import { defineCommand, type ArgsDef, type CommandDef } from 'citty'
import { carryOut, writing } from '../changes/index.js'
import { checkOthersTexts, checkWritten } from '../check-folder.js'
import { environment } from '../common-options.js'
import { UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import { openProject, type Addition } from './project.js'
import { resolveQuestions, faultOf, flagsOf, givenByFile, givenByFlags, type QuestionValues, type Question } from './questions.js'

export interface Generator {
  /** As it is called: `add model`. */
  readonly command: string
  readonly description: string
  readonly questions: readonly Question[]
  /** Whether what it writes has texts of others in it: it is not started then. Default: false. */
  readonly hasOthersTexts?: boolean
  /** Whether it writes into applications in code, too. Default: false. */
  readonly inCode?: boolean
  /** From all answers to a plan. */
  readonly plan: (dir: string, answers: QuestionValues, options: PlanOptions) => Promise<Addition>
}

/** Options that every generator has. */
export interface PlanOptions {
  readonly force: boolean
  readonly env: string | undefined
  /** Where somebody stands: names of other files are relative to it. */
  readonly cwd: string
}

const options = {
  dir: { type: 'string', description: 'The application folder. Default: this one', default: '.', valueHint: 'dir' },
  force: { type: 'boolean', description: 'Replace what is there and says something else' },
  ...environment,
  ...writing
} as const satisfies ArgsDef

/** The command of a generator: flags, prompts and answers from its questions, then the plan carried out. */
export function commandOf (generator: Generator): CommandDef<ArgsDef> {
  const { command, description, questions, plan, hasOthersTexts = false, inCode = false } = generator
  return defineCommand({
    meta: { name: command, description },
    args: { ...flagsOf(questions), ...options } as ArgsDef,
    async run ({ args: parsed, rawArgs, data }) {
      const args = parsed as unknown as GivenOptions
      const terminal = data as Terminal
      const dir = path.resolve(terminal.cwd, args.dir)
      const project = openProject(dir, { inCode })
      const asks = terminal.interactive && args.yes !== true && args.json !== true && args.answers === undefined
      const ask = asks ? (await import('./ask.js')).askAt(terminal) : undefined
      const fromFile = args.answers === undefined
        ? {}
        : givenByFile(questions, await readAnswers(args.answers, terminal))
      const fromFlags = givenByFlags(questions, parsed, rawArgs)
      const given = { ...fromFile, ...fromFlags }
      const answers = await resolveQuestions(
        questions, asks ? withoutWrongWords(questions, given, project, terminal) : given, project, ask
      )
      const { changes, notes = [], warnings, next, check } = await plan(dir, answers, {
        force: args.force === true, env: args.env, cwd: terminal.cwd
      })
      if (args.json !== true) for (const note of notes) terminal.print(note)
      await carryOut({
        command,
        changes,
        next,
        report: { notes },
        ...(hasOthersTexts
          ? checkOthersTexts(changes, warnings, { env: args.env })
          : checkWritten(changes, warnings, { env: args.env }, check))
      }, args, terminal)
    }
  })
}

interface GivenOptions {
  readonly dir: string
  readonly force?: boolean
  readonly env?: string
  readonly answers?: string
  readonly yes?: boolean
  readonly json?: boolean
}

async function readAnswers (file: string, { cwd, dialogue }: Terminal): Promise<unknown> {
  const content = file === '-'
    ? await readAll(dialogue?.input ?? process.stdin)
    : read(path.resolve(cwd, file), file)
  try {
    return JSON.parse(content)
  } catch {
    throw new UsageError(`The answers in "${file}" are not JSON.`)
  }
}

function read (full: string, file: string): string {
  try {
    return readFileSync(full, 'utf8')
  } catch (error) {
    throw new UsageError(`The answers in "${file}" cannot be read.`, { cause: error })
  }
}

/** At a terminal, a word that will not do is told, and asked for again (GE-M5). */
function withoutWrongWords (
  questions: readonly Question[], given: QuestionValues, project: ReturnType<typeof openProject>, terminal: Terminal
): QuestionValues {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => {
    const question = questions.find(each => each.name === name)
    if (question?.positional !== true || value === undefined) return true
    const fault = faultOf(question, value, { project, answers: given, given })
    if (fault !== undefined) terminal.complain(`"${String(value)}" will not do: ${fault}`)
    return fault === undefined
  }))
}

/** The list of a field that searches rows of another model while one types: what fits, and which of it is marked. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Api } from '../../api/client.js'
import { choicesFor, type Choice } from '../models/choices.js'
import type { DataModel } from '../models/models.js'

/** Milliseconds without typing before rows are looked for. */
const pause = 200

export interface RowSearch {
  readonly options: readonly Choice[]
  /** Position of the marked option; -1: none. */
  readonly active: number
  readonly isOpen: boolean
  /** What came of the last search, in words. */
  readonly said: string
  /** Looks for rows now, or when nothing more is typed. */
  find (text: string): void
  findSoon (text: string): void
  /** Marks the next option, or the one before. */
  step (by: 1 | -1): void
  close (): void
  /** Closes the list, and forgets what was found and what is looked for. */
  end (): void
  /** What is looked for comes too late: the field was left. */
  leave (): void
}

/** @param target the property of the rows that keys lead to */
export function useRowSearch (other: DataModel | undefined, target: string, api: Api): RowSearch {
  const [options, setOptions] = useState<readonly Choice[]>([])
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const timer = useRef(0)
  const searches = useRef(0)
  useEffect(() => () => { window.clearTimeout(timer.current) }, [])

  const found = (model: DataModel, choices: readonly Choice[]): void => {
    setOptions(choices)
    setOpen(choices.length > 0)
    setActive(-1)
    setSaid(choices.length === 0
      ? `No row of ${model.name} fits.`
      : `${choices.length} ${choices.length === 1 ? 'row fits' : 'rows fit'}.`)
  }
  const find = (text: string): void => {
    if (other === undefined) return
    const own = ++searches.current
    choicesFor(text.trim(), other, target, api).then(
      choices => { if (own === searches.current) found(other, choices) },
      error => { setSaid(error instanceof Error ? error.message : String(error)) })
  }
  const close = (): void => {
    setOpen(false)
    setActive(-1)
  }
  return {
    options,
    active,
    isOpen,
    said,
    find,
    findSoon: text => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => { find(text) }, pause)
    },
    step: by => {
      if (options.length === 0 || (by < 0 && active < 0)) return
      setActive((active + by + options.length) % options.length)
    },
    close,
    end: () => {
      setSaid('')
      close()
    },
    leave: () => {
      window.clearTimeout(timer.current)
      searches.current++
      close()
    }
  }
}

/** The operations of a model: its own, then those of each relation. */
import type { Action } from '../api/description.js'

export interface Group {
  /** Undefined for the model's own operations. */
  readonly relation: string | undefined
  readonly actions: readonly Action[]
}

export function grouped (actions: readonly Action[]): Group[] {
  const groups = new Map<string | undefined, Action[]>([[undefined, []]])
  for (const action of actions) {
    const relation = /\.prototype\.__[A-Za-z]+__([\w-]+?)(\.[a-z]+\d*)?$/.exec(action.operationId)?.[1]
    groups.set(relation, [...groups.get(relation) ?? [], action])
  }
  return [...groups].filter(([, list]) => list.length > 0).map(([relation, list]) => ({ relation, actions: list }))
}

/** Whether the name, path or summary of an operation has all the words. */
export function isFound ({ operationId, verb, path, summary = '' }: Action, words: readonly string[]): boolean {
  const line = `${operationId} ${verb} ${path} ${summary}`.toLowerCase()
  return words.every(word => line.includes(word))
}

/** The words of a search. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(word => word !== '')

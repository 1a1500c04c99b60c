/** A list that is read in pieces, as far as somebody wants to see it. */
import { element } from './explorer/shared.js'

/** Items of one piece. */
export const piece = 25

/**
 * Reads the first piece into a place, and puts a button behind it while there is more.
 * @param read gives a piece
 * @param lines shows it
 * @param skip how many items are before the next piece
 */
export async function inPieces<T> (place: HTMLElement, { read, lines, skip, fail }: {
  read (skip: number): Promise<readonly T[]>
  lines (items: readonly T[]): void
  skip (): number
  fail (error: unknown): void
}): Promise<void> {
  const button = element('button', { type: 'button', class: 'small' }, 'Show more')
  const next = async (): Promise<void> => {
    const items = await read(skip())
    lines(items)
    button.hidden = items.length < piece
  }
  button.addEventListener('click', () => { next().catch(fail) })
  await next()
  place.append(element('p', { class: 'buttons' }, button))
}

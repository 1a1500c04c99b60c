/** Light, dark, or as the system has it: kept for the next visit, for all pages of the server. */
import { signal, type ReadonlySignal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type ThemeName = typeof themes[number]

const key = 'fastback.theme'

export class Theme {
  readonly #name = signal<ThemeName>(themes.find(name => name === window.localStorage.getItem(key)) ?? 'system')

  constructor () { this.#apply() }

  get name (): ReadonlySignal<ThemeName> { return this.#name }

  set (name: ThemeName): void {
    window.localStorage.setItem(key, name)
    this.#name.value = name
    this.#apply()
  }

  #apply (): void {
    document.documentElement.dataset.theme = this.#name.value
  }
}

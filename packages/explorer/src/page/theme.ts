/** Light, dark, or what the system says: kept for the next visit. */
import { byId } from './dom.js'

const key = 'fastback.explorer.theme'
const themes = ['system', 'light', 'dark']

/**
 * Lets the element `theme` choose, and follows what was chosen last.
 *
 * ```js
 * setUpTheme()
 * ```
 */
export function setUpTheme (): void {
  const choice = byId<HTMLSelectElement>('theme')
  const kept = window.localStorage.getItem(key) ?? 'system'
  choice.value = themes.includes(kept) ? kept : 'system'
  const apply = (): void => { document.documentElement.dataset.theme = choice.value }
  choice.addEventListener('change', () => {
    window.localStorage.setItem(key, choice.value)
    apply()
  })
  apply()
}

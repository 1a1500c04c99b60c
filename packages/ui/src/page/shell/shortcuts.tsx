import { Dialog } from '../components/dialog.js'
import { modifier } from './keys.js'

const shortcuts: ReadonlyArray<readonly [keys: string, what: string]> = [
  [`${modifier} K`, 'Find anything'],
  ['/', 'Search the list in the sidebar'],
  ['?', 'Show these shortcuts'],
  ['Esc', 'Close what lies over the page'],
  [`${modifier} Enter`, 'Send the request, save the row'],
  [`${modifier} S`, 'Save the row']
]

export const Shortcuts = ({ onClose }: { readonly onClose: () => void }) =>
  <Dialog title="Shortcuts" onClose={onClose}>
    <dl class="shortcuts">
      {shortcuts.map(([keys, what]) => (
        <div key={keys}><dt>{keys.split(' ').map(key => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></div>
      ))}
    </dl>
  </Dialog>

import type { Proposal } from '../../../contracts/models.js'

/** A file as it would be: lines that come and go by sign and colour. */
export const DiffView = ({ file: { file, isNew, diff } }: { readonly file: Proposal['files'][number] }) =>
  <section class="diff" aria-label={file}>
    <h3><code>{file}</code> {isNew && <span class="chip good">new</span>}</h3>
    <pre class="code" tabIndex={0} role="region" aria-label={`Changes of ${file}`}>
      {diff.split('\n').filter(line => !/^(?:---|\+\+\+) /.test(line)).map((line, index) => (
        <span key={index} class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'quiet-text' : ''}>{line}{'\n'}</span>
      ))}
    </pre>
  </section>

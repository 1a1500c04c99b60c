/** How far work is that takes a while. */
export const Progress = ({ label, done, of }: { readonly label: string, readonly done: number, readonly of: number }) =>
  <div class="progress" role="status">
    <progress value={done} max={Math.max(1, of)} aria-label={label}/>
    <span class="quiet-text">{label}: {done} of {of}</span>
  </div>

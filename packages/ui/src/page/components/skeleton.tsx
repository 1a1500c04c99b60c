/** Stands where rows are being read. */
export const Skeleton = ({ lines = 6 }: { readonly lines?: number }) =>
  <div class="skeleton" role="status" aria-label="Reading">
    {Array.from({ length: lines }, (_, line) => <span key={line}/>)}
  </div>

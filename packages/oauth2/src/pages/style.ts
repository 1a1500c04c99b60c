/** The style sheet of all pages. Colours are in `colors.ts`. */
export const styles = `*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:2rem 1rem;background:var(--background);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.top,main{max-width:26rem;margin:0 auto}
.wide .top,.wide main{max-width:44rem}
.top{margin-bottom:1rem;font-size:1.125rem;font-weight:600;text-align:center}
.top img{display:block;max-width:12rem;max-height:4rem;margin:0 auto}
main{padding:1.75rem;background:var(--surface);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}
h2{margin:2rem 0 .5rem;padding-top:1.5rem;border-top:1px solid var(--line);font-size:1.2rem;line-height:1.3}
h3{margin:1.25rem 0 .25rem;font-size:1rem}
p,ul,ol{margin:.5rem 0}
ul,ol{padding-left:1.25rem}
li{margin:.25rem 0}
a{color:inherit}
.quiet{color:var(--quiet)}
label{display:block;margin-top:1rem;font-weight:600}
label.check{display:inline;margin:0;font-weight:400}
.choices{list-style:none;padding:0}
.choices li{margin:.5rem 0}
input:not([type=hidden],[type=checkbox]){width:100%;margin-top:.25rem;padding:.625rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:.5rem}
input[type=checkbox]{width:1.125rem;height:1.125rem;margin:0 .25rem 0 0;vertical-align:-.15rem;accent-color:var(--accent)}
.card{list-style:none;margin:.75rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
.cards{padding:0}
.card h3,.card p:first-child{margin-top:0}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
.actions button{flex:1;margin:0}
button{width:100%;margin-top:1.25rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;text-align:center;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent-edge);border-radius:.5rem;cursor:pointer}
button.second{color:inherit;background:transparent;border-color:var(--edge)}
.wide button{width:auto;max-width:100%}
.wide .card button{margin-top:.75rem}
button:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
[role=status],.error{margin:0 0 1rem;padding:.5rem .75rem;border:1px solid var(--line);border-left:.25rem solid var(--accent-edge);border-radius:.25rem}
.error{border-left-color:var(--problem);color:var(--problem)}
code{font:1rem/1.6 ui-monospace,monospace}
.codes{columns:2;padding-left:2rem}
.codes li{margin:0}
summary{margin-top:.75rem;font-weight:600;cursor:pointer}
[hidden]{display:none}
@media (max-width:30rem){body{padding:1rem .75rem}main{padding:1.25rem}.wide button{width:100%}}`

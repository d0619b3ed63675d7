import"./rolldown-runtime.js";const e=4e3;function t(t,r,i){let a=i===void 0?[]:[`The artifact's page: ${i}`],o=r.map(({text:e})=>`- ${e}`),s=[t,...o,...a].join(`
`);if(s.length<=e)return s;let c=e-[t,n(o.length),...a].join(`
`).length,l=o.findIndex(e=>(c-=e.length+1,c<0)),u=l<0?o:o.slice(0,l);return[t,...u,n(o.length-u.length),...a].join(`
`)}function n(e){return`… and ${e} more`}export{t as failureText};
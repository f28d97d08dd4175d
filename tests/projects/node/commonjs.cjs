// An older server, in CommonJS.
import('card-widget/rules')
  .then(({ loadCardRules }) => loadCardRules())
  .then((rules) => console.log(rules.number('4242').brand));

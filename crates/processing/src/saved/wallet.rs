//! A customer's cards: looked at, deleted, and one made the default.

use database::{Transaction, values};
use jiff::SignedDuration;
use wire::interface::Wrong;
use wire::interface::saved::{DefaultCard, DeletedCard, ItemCard, ItemType, NamedCard, Wallet, WalletItem};
use wire::interface::values::ExternalId;

use super::{Holder, SavedCard, all, lock, set_default, unknown};
use crate::id::Id;
use crate::payment::answer::last_day;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::{job, time};

impl Processing {
    /// `GET /api/customers/v1/wallet`: a customer's cards. One that nobody has heard of has none. Reads the store.
    pub fn wallet(&self, project: &Project, customer: &ExternalId) -> Result<Wallet, Refusal> {
        let cards = self.saved_cards(project, customer)?;
        let items = cards.iter().map(|card| self.wallet_item(project, card));
        Ok(Wallet {
            external_id: customer.as_str().to_owned(),
            wallet: items.collect::<Result<_, _>>()?,
        })
    }

    /// `GET /api/customers/v1/wallet/find`: one of a customer's cards. Reads the store.
    pub fn find_card(
        &self,
        project: &Project,
        customer: &ExternalId,
        option_id: &str,
    ) -> Result<WalletItem, Refusal> {
        let card = self.saved_card(project, customer, option_id)?;
        self.wallet_item(project, &card.ok_or_else(|| unknown().at("option_id"))?)
    }

    /// `DELETE /api/customers/v1/wallet`: deletes a card, in the vault too unless it is charged without the payer. Where it was the
    /// default, the one that was saved last becomes it. Waits for the disk.
    pub fn delete_card(
        &self,
        project: &Project,
        customer: &ExternalId,
        named: &NamedCard,
    ) -> Result<DeletedCard, Refusal> {
        let (real, project) = (self.shared.now(), project.id.clone());
        let id = self.change(
            &project,
            customer,
            named,
            move |tx, holder, default, cards, id| {
                tx.change("UPDATE saved_cards SET is_removed = 1 WHERE id = $1", values![id])?;
                if default == Some(id) {
                    let next = cards.iter().rfind(|card| card.id != id);
                    set_default(tx, holder, next.map(|card| card.id))?;
                }
                let due = time::after(real, FORGET_AFTER);
                Ok(job::schedule(tx, job::Kind::Forget, id, holder.project, due)?)
            },
        )?;
        // It is deleted; where the vault cannot forget it now, the job has it do so.
        if let Err(error) = self.forget_card(id) {
            tracing::warn!(%error, "a card is forgotten later");
        }
        Ok(DeletedCard {
            delete: true,
            option_id: id.to_string(),
            kind: ItemType::Card,
        })
    }

    /// `POST /api/customers/v1/wallet/settings/set`: makes a card the default. Waits for the disk.
    pub fn set_default_card(
        &self,
        project: &Project,
        customer: &ExternalId,
        named: &NamedCard,
    ) -> Result<DefaultCard, Refusal> {
        let id = self.change(&project.id, customer, named, |tx, holder, _, _, id| {
            set_default(tx, holder, Some(id))
        })?;
        Ok(DefaultCard {
            option_id: id.to_string(),
            kind: ItemType::Card,
            success: true,
        })
    }

    /// One of a customer's cards.
    pub(crate) fn saved_card(
        &self,
        project: &Project,
        customer: &str,
        option_id: &str,
    ) -> Result<Option<SavedCard>, Refusal> {
        let cards = self.saved_cards(project, customer)?;
        Ok(cards.into_iter().find(|card| card.id.to_string() == option_id))
    }

    /// All of them.
    pub(super) fn saved_cards(&self, project: &Project, customer: &str) -> Result<Vec<SavedCard>, Refusal> {
        let (project, customer) = (project.id.clone(), customer.to_owned());
        self.shared
            .database
            .read(move |tx| all(tx, Holder::of(&project, &customer)))
    }

    /// A saved card as it may be shown.
    pub(crate) fn wallet_item(&self, project: &Project, saved: &SavedCard) -> Result<WalletItem, Refusal> {
        let issuers = &self.shared.ports(project)?.issuers;
        let card = &saved.card;
        let issuer = issuers.issuer(&card.mask);
        let system = card.brand.as_deref().map(str::to_uppercase);
        let ending = card.mask.rsplit('*').next().unwrap_or_default();
        Ok(WalletItem {
            option_id: saved.id.to_string(),
            kind: ItemType::Card,
            name: format!("{} {ending}", system.as_deref().unwrap_or("CARD")),
            is_default: saved.is_default,
            card: ItemCard {
                mask: card.mask.clone(),
                payment_system: system,
                bank_short_name: issuer.bank_short_name,
                expires_at: card.expiry.and_then(last_day),
                card_art_url: issuers.art(project, &card.mask, saved.created_at),
            },
        })
    }

    /// Has the vault forget a card that was removed, unless a binding charges it.
    pub(crate) fn forget_card(&self, id: Id) -> Result<(), Refusal> {
        let removed = self.shared.database.read(move |tx| {
            let row = tx.row(
                "SELECT project, token, (SELECT COUNT(*) FROM bindings \
                 WHERE bindings.project = saved_cards.project AND bindings.token = saved_cards.token) \
                 FROM saved_cards WHERE id = $1 AND is_removed = 1",
                values![id],
            )?;
            row.map(|row| {
                Ok::<_, Refusal>((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<u64>(2)?))
            })
            .transpose()
        })?;
        let Some((project, token, bindings)) = removed else {
            return Ok(());
        };
        if bindings == 0 {
            self.shared.vault.forget(&project, &token)?;
        }
        self.shared.database.write(move |tx| {
            tx.change(
                "DELETE FROM saved_cards WHERE id = $1 AND is_removed = 1",
                values![id],
            )?;
            Ok(job::cancel(tx, job::Kind::Forget, id)?)
        })
    }

    /// Changes something about one card, while nobody else changes the customer's.
    fn change(
        &self,
        project: &str,
        customer: &ExternalId,
        named: &NamedCard,
        work: impl Fn(&mut dyn Transaction, Holder<'_>, Option<Id>, &[SavedCard], Id) -> Result<(), Refusal>
        + Clone
        + Send
        + 'static,
    ) -> Result<Id, Refusal> {
        if named.kind != ItemType::Card {
            return Err(Wrong::new("type", "`card`").into());
        }
        let (project, customer) = (project.to_owned(), customer.clone());
        let option_id = named.option_id.as_str().to_owned();
        self.shared.database.write(move |tx| {
            let holder = Holder::of(&project, &customer);
            let default = lock(tx, holder)?;
            let cards = all(tx, holder)?;
            let found = cards.iter().find(|card| card.id.to_string() == option_id);
            let id = found.ok_or_else(|| unknown().at("option_id"))?.id;
            work(tx, holder, default, &cards, id)?;
            Ok(id)
        })
    }
}

/// So long after its deletion the vault is to have forgotten a card.
const FORGET_AFTER: SignedDuration = SignedDuration::from_secs(120);

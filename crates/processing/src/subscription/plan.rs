//! Plans: what shops offer.

use database::{Row, Transaction, values};
use jiff::Timestamp;
use wire::interface::plan::{ChangePlan, FrequencyType, NewPlan, Plan, PlanCallback, PlanState};
use wire::interface::subscription::Changed;
use wire::interface::values::Text;
use wire::interface::{StatusCode, Word, Wrong};

use crate::checkout::record::{from_json, to_json};
use crate::id::Id;
use crate::payment::{amount, currency};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

/// Times in milliseconds of the project's clock. `platforms` and `callbacks` are JSON.
pub(crate) const TABLES: &str = "
CREATE TABLE plans (
    id             INTEGER PRIMARY KEY,
    project        TEXT NOT NULL,
    name           TEXT NOT NULL,
    description    TEXT,
    price          INTEGER NOT NULL,
    currency       TEXT NOT NULL,
    state          TEXT NOT NULL,
    frequency_type TEXT NOT NULL,
    frequency      INTEGER NOT NULL,
    duration       INTEGER NOT NULL,
    start_at       INTEGER NOT NULL,
    end_at         INTEGER,
    platforms      TEXT NOT NULL,
    callbacks      TEXT NOT NULL,
    created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX plans_project ON plans (project, id);
";

/// A statement that reads whole plans.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, description, price, currency, state, frequency_type, frequency, duration, start_at, end_at, \
             platforms, callbacks, created_at FROM plans ",
            $rest
        )
    };
}

impl Processing {
    /// `POST /api/subscriptions/v1/plans`: makes a plan. Waits for the disk.
    pub fn create_plan(&self, project: &Project, request: NewPlan) -> Result<Plan, Refusal> {
        let id = self.shared.new_id()?;
        let plan = Plan {
            id: id.to_string(),
            name: request.name.into_string(),
            description: request.description.map(Text::into_string),
            price: request.price,
            currency: request.currency,
            state: PlanState::Active,
            frequency_type: request.frequency_type.into(),
            frequency: request.frequency.value(),
            duration_periods: request.duration_periods.value(),
            start_date: request.start_date.time(),
            end_date: request.end_date.map(|end| end.time()),
            platforms: words(request.platforms),
            callbacks: request.callbacks.map_or_else(Vec::new, |list| list.into_vec()),
            created_at: project.now(self.shared.now()),
        };
        self.check_plan(project, &plan)?;
        let (owner, stored) = (project.id.clone(), plan.clone());
        self.shared
            .database
            .write(move |tx| insert(tx, &owner, id, &stored))?;
        Ok(plan)
    }

    /// `GET /api/subscriptions/v1/plans/{plan_id}`. Reads the store.
    pub fn plan(&self, project: &Project, plan_id: &str) -> Result<Plan, Refusal> {
        let (owner, id) = (project.id.clone(), named(plan_id)?);
        self.shared
            .database
            .read(move |tx| find(tx, &owner, id))?
            .ok_or_else(unknown)
    }

    /// `GET /api/subscriptions/v1/plans`: all of a project, the oldest first. Reads the store.
    pub fn plans(&self, project: &Project) -> Result<Vec<Plan>, Refusal> {
        let owner = project.id.clone();
        self.shared.database.read(move |tx| {
            let rows = tx.rows(select!("WHERE project = $1 ORDER BY id"), values![&owner])?;
            rows.iter().map(read).collect()
        })
    }

    /// `PATCH /api/subscriptions/v1/plans/{plan_id}`: changes what is said, of a plan that was not deleted. Waits for the disk.
    pub fn change_plan(
        &self,
        project: &Project,
        plan_id: &str,
        change: ChangePlan,
    ) -> Result<Changed, Refusal> {
        let (this, project, id) = (self.clone(), project.clone(), named(plan_id)?);
        self.shared.database.write(move |tx| {
            let mut plan = lock(tx, &project.id, id)?;
            let change = change.clone();
            plan.name = change.name.map_or(plan.name, Text::into_string);
            plan.description = change.description.map(Text::into_string).or(plan.description);
            plan.price = change.price.unwrap_or(plan.price);
            plan.frequency_type = change.frequency_type.map_or(plan.frequency_type, Word::Known);
            plan.frequency = change.frequency.map_or(plan.frequency, |units| units.value());
            plan.duration_periods = change
                .duration_periods
                .map_or(plan.duration_periods, |units| units.value());
            plan.end_date = change.end_date.map(|end| end.time()).or(plan.end_date);
            if change.platforms.is_some() {
                plan.platforms = words(change.platforms);
            }
            plan.callbacks = change.callbacks.map_or(plan.callbacks, |list| list.into_vec());
            this.check_plan(&project, &plan)?;
            update(tx, id, &plan)
        })?;
        Ok(Changed::ok())
    }

    /// `DELETE /api/subscriptions/v1/plans/{plan_id}`: there are no new subscriptions of it; those that there are go on. Waits for the
    /// disk.
    pub fn delete_plan(&self, project: &Project, plan_id: &str) -> Result<Changed, Refusal> {
        let (project, id) = (project.id.clone(), named(plan_id)?);
        self.shared.database.write(move |tx| {
            let mut plan = lock(tx, &project, id)?;
            plan.state = PlanState::Inactive;
            update(tx, id, &plan)
        })?;
        Ok(Changed::ok())
    }

    /// What no member can say alone.
    fn check_plan(&self, project: &Project, plan: &Plan) -> Result<(), Refusal> {
        if plan.price.is_zero() {
            return Err(Refusal::new(StatusCode::WrongAmount, "a plan costs more than 0").at("price"));
        }
        if plan.currency.as_str() != "UAH" {
            return Err(Refusal::new(StatusCode::InvalidCurrency, "plans are in UAH").at("currency"));
        }
        if plan.end_date.is_some_and(|end| end <= plan.start_date) {
            return Err(Wrong::new("end_date", "later than `start_date`").into());
        }
        for PlanCallback { api_key, .. } in &plan.callbacks {
            let found = self.shared.project(api_key)?;
            let is_own = found
                .is_some_and(|found| found.partner == project.partner && found.is_live == project.is_live);
            if !is_own {
                let message = "the partner has no such project";
                return Err(Refusal::new(StatusCode::InvalidData, message).at("callbacks.api_key"));
            }
        }
        Ok(())
    }
}

/// The plan of a project by its id.
pub(super) fn find(tx: &mut dyn Transaction, project: &str, id: Id) -> Result<Option<Plan>, Refusal> {
    let row = tx.row(select!("WHERE id = $1 AND project = $2"), values![id, project])?;
    row.map(|row| read(&row)).transpose()
}

/// The plan that a text names, if it can be one.
pub(super) fn named(plan_id: &str) -> Result<Id, Refusal> {
    plan_id.parse().map_err(|_| unknown())
}

pub(super) fn unknown() -> Refusal {
    Refusal::new(StatusCode::PlanNotFound, "the project has no such plan").at("plan_id")
}

/// It was deleted, or its end is past.
pub(super) fn not_active() -> Refusal {
    Refusal::new(StatusCode::PlanNotActive, "the plan has ended").at("plan_id")
}

/// One that was not deleted, with its row locked.
fn lock(tx: &mut dyn Transaction, project: &str, id: Id) -> Result<Plan, Refusal> {
    let row = tx.row(
        select!("WHERE id = $1 AND project = $2 FOR UPDATE"),
        values![id, project],
    )?;
    let plan = read(&row.ok_or_else(unknown)?)?;
    match plan.state {
        PlanState::Active => Ok(plan),
        _ => Err(not_active()),
    }
}

fn insert(tx: &mut dyn Transaction, project: &str, id: Id, plan: &Plan) -> Result<(), Refusal> {
    tx.change(
        "INSERT INTO plans (id, project, name, description, price, currency, state, frequency_type, frequency, duration, start_at, \
         end_at, platforms, callbacks, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        values![
            id,
            project,
            &plan.name,
            plan.description.as_ref(),
            plan.price.minor(),
            plan.currency.as_str(),
            plan.state.as_str(),
            plan.frequency_type.as_str(),
            plan.frequency,
            plan.duration_periods,
            time::to_sql(plan.start_date),
            plan.end_date.map(time::to_sql),
            to_json(&plan.platforms)?,
            to_json(&plan.callbacks)?,
            time::to_sql(plan.created_at),
        ],
    )?;
    Ok(())
}

fn update(tx: &mut dyn Transaction, id: Id, plan: &Plan) -> Result<(), Refusal> {
    tx.change(
        "UPDATE plans SET name = $2, description = $3, price = $4, state = $5, frequency_type = $6, frequency = $7, duration = $8, \
         end_at = $9, platforms = $10, callbacks = $11 WHERE id = $1",
        values![
            id,
            &plan.name,
            plan.description.as_ref(),
            plan.price.minor(),
            plan.state.as_str(),
            plan.frequency_type.as_str(),
            plan.frequency,
            plan.duration_periods,
            plan.end_date.map(time::to_sql),
            to_json(&plan.platforms)?,
            to_json(&plan.callbacks)?,
        ],
    )?;
    Ok(())
}

fn read(row: &Row) -> Result<Plan, Refusal> {
    let end_date: Option<i64> = row.get(10)?;
    Ok(Plan {
        id: row.get::<Id>(0)?.to_string(),
        name: row.get(1)?,
        description: row.get(2)?,
        price: amount(row, 3)?,
        currency: currency(row, 4)?,
        state: PlanState::from(&*row.get::<String>(5)?),
        frequency_type: unit(row, 6)?.into(),
        frequency: row.get(7)?,
        duration_periods: row.get(8)?,
        start_date: time::from_sql(row.get(9)?)?,
        end_date: end_date.map(time::from_sql).transpose()?,
        platforms: from_json(&row.get::<String>(11)?)?,
        callbacks: from_json(&row.get::<String>(12)?)?,
        created_at: time::from_sql(row.get(13)?)?,
    })
}

/// What periods are counted in, of a column.
pub(super) fn unit(row: &Row, column: usize) -> Result<FrequencyType, Refusal> {
    FrequencyType::of(&row.get::<String>(column)?)
        .ok_or_else(|| Refusal::internal("a stored unit is not known"))
}

/// Whether nothing is charged any more at a time.
pub(super) fn is_over(plan: &Plan, at: Timestamp) -> bool {
    plan.end_date.is_some_and(|end| at >= end)
}

fn words(platforms: Option<wire::interface::plan::Platforms>) -> Vec<String> {
    platforms
        .unwrap_or_default()
        .into_iter()
        .map(Text::into_string)
        .collect()
}
